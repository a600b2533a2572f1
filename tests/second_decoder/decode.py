"""A second implementation of the token `mrtr1`, written from docs/request-state.md alone (S15).

Opens every token of docs/vectors/tokens.json and refuses every variant there for the stated reason.
Needs the package `cryptography`. Usage: decode.py [tokens.json]
"""

import base64
import hashlib
import hmac
import json
import pathlib
import re
import struct
import sys

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM, ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDFExpand

from canonical import request_digest

PREFIX = "mrtr1."
BOUND = 36
SIGNED = 3
KINDS = (1, 2, 3, 4)
OUTCOMES = {1: "accepted", 2: "declined", 3: "cancelled"}


class Refused(Exception):
    pass


def expand(prk: bytes, info: bytes) -> bytes:
    return HKDFExpand(algorithm=SHA256(), length=32, info=info).derive(prk)


def extract(secret: bytes) -> bytes:
    return hmac.new(b"mrtr1 request state", secret, hashlib.sha256).digest()


def binary(token: str) -> bytes:
    body = token.removeprefix(PREFIX)
    if body == token or not re.fullmatch(r"[A-Za-z0-9_-]*", body) or len(body) % 4 == 1:
        raise Refused("malformed")
    data = base64.urlsafe_b64decode(body + "=" * (-len(body) % 4))
    if base64.urlsafe_b64encode(data).rstrip(b"=").decode() != body:
        raise Refused("malformed")  # trailing bits that are not zero
    return data


def unseal(token: str, secret: bytes, cipher: int) -> bytes:
    data = binary(token)
    if len(data) < BOUND:
        raise Refused("malformed")
    key_id, salt, nonce, rest = data[:8], data[8:24], data[24:BOUND], data[BOUND:]
    prk = extract(secret)
    number = bytes([cipher])
    if key_id != expand(prk, b"mrtr1 key id" + number)[:8]:
        raise Refused("unknown_key")
    key = expand(prk, b"mrtr1 token" + number + salt)
    bound = PREFIX.encode() + data[:BOUND]
    if cipher == SIGNED:
        claims, tag = rest[:-32], rest[-32:]
        if not hmac.compare_digest(tag, hmac.new(key, bound + claims, hashlib.sha256).digest()):
            raise Refused("tampered")
        return claims
    aead = {1: AESGCM, 2: ChaCha20Poly1305}[cipher](key)
    try:
        return aead.decrypt(nonce, rest, bound)
    except InvalidTag:
        raise Refused("tampered") from None


class Reader:
    def __init__(self, data: bytes):
        self.data = data

    def bytes(self, count: int) -> bytes:
        if count > len(self.data):
            raise Refused("malformed")
        head, self.data = self.data[:count], self.data[count:]
        return head

    def number(self, form: str) -> int:
        return struct.unpack(">" + form, self.bytes(struct.calcsize(form)))[0]


def entry(source: Reader, kept: bool) -> dict:
    kind = source.number("B")
    outcome = OUTCOMES.get(source.number("B")) if kept else None
    digest = source.bytes(32)
    key_length = source.number("I")
    content_length = source.number("I") if kept else 0
    key, content = source.bytes(key_length), source.bytes(content_length)
    found = {"kind": kind, "digest": digest.hex(), "key": key.hex()}
    if kept:
        if outcome is None or (content and outcome != "accepted"):
            raise Refused("malformed")
        found |= {"outcome": outcome, "content": content.decode() if outcome == "accepted" else None}
    if kind not in KINDS:
        raise Refused("malformed")
    return found


def read(claims: bytes) -> tuple[dict, dict]:
    source = Reader(claims)
    version, flags = source.number("B"), source.number("B")
    if version != 1 or flags > 3:
        raise Refused("malformed")
    found = {
        "round": source.number("I"),
        "issuedMs": source.number("Q"),
        "expiresMs": source.number("Q"),
        "flowStartMs": source.number("Q"),
        "tokenId": source.bytes(16).hex(),
        "flowId": source.bytes(16).hex(),
    }
    request, principal = source.bytes(32), source.bytes(16)
    audience, asked, kept = (source.number("I") for _ in range(3))
    bound = {
        "request": request,
        "principal": principal if flags & 1 else None,
        "audience": source.bytes(audience).decode(),
    }
    found["asked"] = [entry(source, False) for _ in range(asked)]
    found["answers"] = [entry(source, True) for _ in range(kept)]
    if not flags & 1 and any(principal):
        raise Refused("malformed")
    if found["round"] == 0 or (source.data and not flags & 2):
        raise Refused("malformed")
    found["state"] = source.data.hex() if flags & 2 else None
    return found, bound


def principal_digest(secret: bytes, token_id: bytes, parts: list[bytes] | None) -> bytes | None:
    if parts is None:
        return None
    key = expand(extract(secret), b"mrtr1 principal")
    message = token_id + b"".join(struct.pack(">Q", len(part)) + part for part in parts)
    return hmac.new(key, message, hashlib.sha256).digest()[:16]


def open_token(vector: dict, rules: dict) -> dict:
    secret, now = bytes.fromhex(vector["secret"]), vector["openMs"]
    found, bound = read(unseal(vector["token"], secret, vector["cipher"]))
    if found["issuedMs"] > now + rules["skewMs"]:
        raise Refused("not_yet_valid")
    if now >= found["expiresMs"]:
        raise Refused("expired")
    if max(0, now - found["flowStartMs"]) >= rules["maxAgeMs"]:
        raise Refused("flow_expired")
    if found["round"] > rules["maxRounds"]:
        raise Refused("too_many_rounds")
    if bound["audience"] != (vector["audience"] or ""):
        raise Refused("wrong_audience")
    parts = vector["principal"]
    parts = None if parts is None else [bytes.fromhex(part) for part in parts]
    if bound["principal"] != principal_digest(secret, bytes.fromhex(found["tokenId"]), parts):
        raise Refused("wrong_principal")
    if bound["request"] != request_digest(vector["method"], vector["params"]):
        raise Refused("wrong_request")
    return found


def changed(vector: dict, change: dict) -> dict:
    token = vector["token"]
    if change.get("token") == "append":
        token += change["text"]
    elif change.get("token") == "flip":
        at = change["at"]
        token = token[:at] + ("B" if token[at] == "A" else "A") + token[at + 1 :]
    return vector | change | {"token": token}


def main(path: str) -> int:
    rules = json.loads(pathlib.Path(path).read_text())
    by_name = {vector["name"]: vector for vector in rules["tokens"]}
    bad = 0
    for name, vector in by_name.items():
        try:
            found = open_token(vector, rules)
        except Refused as reason:
            found = f"refused: {reason}"
        if found != vector["claims"]:
            bad += 1
            print(f"{name}: expected {vector['claims']}, got {found}")
    for case in rules["refused"]:
        try:
            open_token(changed(by_name[case["of"]], case["change"]), rules)
            reason = "opened"
        except Refused as refusal:
            reason = str(refusal)
        if reason != case["reason"]:
            bad += 1
            print(f"{case['change']}: expected {case['reason']}, got {reason}")
    print(f"{len(by_name) + len(rules['refused']) - bad} passed, {bad} failed")
    return 1 if bad else 0


if __name__ == "__main__":
    default = pathlib.Path(__file__).parents[2] / "docs" / "vectors" / "tokens.json"
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else str(default)))
