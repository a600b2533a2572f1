"""The ctypes table against the header: names, argument counts, struct sizes and offsets as a C compiler sees them."""

from __future__ import annotations

import ast
import ctypes
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from mrtr import _native as native

INCLUDE = Path(__file__).resolve().parents[3] / "include"
STRUCTS = {
    "mrtr_slice": native.Slice,
    "mrtr_buf": native.Buf,
    "mrtr_room": native.Room,
    "mrtr_version_info": native.VersionInfo,
    "mrtr_error_info": native.ErrorInfo,
    "mrtr_principal": native.PrincipalArg,
    "mrtr_request": native.Request,
    "mrtr_sealer_options": native.SealerOptions,
    "mrtr_opened": native.OpenedOut,
    "mrtr_sealer_callbacks": native.SealerCallbacks,
    "mrtr_sealer_counters": native.CountersOut,
    "mrtr_ask": native.AskArg,
    "mrtr_choice": native.ChoiceArg,
    "mrtr_header": native.HeaderArg,
    "mrtr_peer": native.PeerArg,
    "mrtr_discovery": native.DiscoveryArg,
    "mrtr_legacy_step": native.LegacyStepOut,
    "mrtr_field": native.FieldArg,
    "mrtr_result_options": native.ResultOptions,
    "mrtr_result": native.ResultOut,
    "mrtr_server_options": native.ServerOptions,
    "mrtr_server_callbacks": native.ServerCallbacks,
    "mrtr_issued": native.IssuedIn,
    "mrtr_answer": native.AnswerOut,
    "mrtr_exchange_info": native.ExchangeInfoOut,
    "mrtr_request_check": native.RequestCheck,
    "mrtr_client_options": native.ClientOptions,
    "mrtr_event": native.EventOut,
    "mrtr_flow_callbacks": native.FlowCallbacks,
    "mrtr_runtime_options": native.RuntimeOptions,
}


def header() -> str:
    text = (INCLUDE / "mrtr.h").read_text(encoding="utf-8")
    return re.sub(r"//[^\n]*", "", re.sub(r"/\*.*?\*/", "", text, flags=re.S))


def test_every_function_of_the_header_is_in_the_table() -> None:
    found = {}
    for name, arguments in re.findall(r"\b(mrtr_\w+)\s*\(([^()]*)\)\s*;", header()):
        found[name] = 0 if arguments.strip() in ("", "void") else arguments.count(",") + 1
    assert found, "no function found in the header"
    assert {name: len(arguments) for name, (arguments, _) in native.SIGNATURES.items()} == found


def test_every_struct_of_the_header_is_known() -> None:
    named = set(re.findall(r"typedef struct (mrtr_\w+)\s*\{", header()))
    handles = {name for name in named if re.search(r"typedef struct " + name + r"\s*\{\s*uint64_t id;\s*\}", header())}
    assert named - handles == set(STRUCTS)


@pytest.mark.parametrize("name", STRUCTS)
def test_layout_is_what_the_compiler_sees(name: str, tmp_path: Path) -> None:
    compiler = shutil.which("cc")
    assert compiler, "a C compiler is needed"
    fields = [field for field, *_ in STRUCTS[name]._fields_]
    prints = [f'printf("%zu\\n", sizeof({name}));'] + [f'printf("%zu\\n", offsetof({name}, {field}));' for field in fields]
    source = tmp_path / "layout.c"
    source.write_text('#include <stddef.h>\n#include <stdio.h>\n#include "mrtr.h"\nint main(void) {\n' + "\n".join(prints) + "\nreturn 0;\n}\n")
    subprocess.run([compiler, "-I", str(INCLUDE), str(source), "-o", str(tmp_path / "layout")], check=True)
    lines = subprocess.run([str(tmp_path / "layout")], check=True, capture_output=True, text=True).stdout.split()
    assert [ctypes.sizeof(STRUCTS[name])] + [getattr(STRUCTS[name], field).offset for field in fields] == [int(line) for line in lines]


def test_bare_functions_get_all_their_arguments() -> None:
    """Nothing else would count them: a bare function has no types."""
    calls = 0
    for source in Path(native.__file__).parent.glob("*.py"):
        tree = ast.parse(source.read_text(encoding="utf-8"))
        bare: dict[str, str] = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign):
                targets, values = node.targets[0], node.value
                pairs = zip(targets.elts, values.elts) if isinstance(targets, ast.Tuple) and isinstance(values, ast.Tuple) else [(targets, values)]
                for target, value in pairs:
                    if isinstance(target, ast.Name) and isinstance(value, ast.Call) and ast.unparse(value.func) in ("bare", "native.bare"):
                        bare[target.id] = ast.literal_eval(value.args[0])
        for node in ast.walk(tree):
            name = ast.unparse(node.func).removeprefix("native.") if isinstance(node, ast.Call) else ""
            known = bare.get(name) or ("mrtr_buf_free" if name == "buf_free" else None)
            if isinstance(node, ast.Call) and known:
                calls += 1
                assert not any(isinstance(argument, ast.Starred) for argument in node.args), ast.unparse(node)
                assert len(node.args) == len(native.SIGNATURES[known][0]), ast.unparse(node)
    assert calls > 10
