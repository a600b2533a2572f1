package main

const (
	hints = `"resultType":"complete","ttlMs":60000,"cacheScope":"public"`
	empty = `,"description":"Tries multi round-trip requests.","inputSchema":{"type":"object","properties":{}}}`
)

// lists are the results of methods that take no input.
var lists = map[string]string{
	"server/discover": `{` + hints + `,"supportedVersions":["2026-07-28"],"capabilities":{"tools":{},"prompts":{},"resources":{}},` +
		`"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"libmrtr-go-example","version":"0.1.0"}}}`,
	"tools/list": `{` + hints + `,"tools":[` +
		`{"name":"book_trip","description":"Books a trip after asking who pays, where to sit, and whether to go on.",` +
		`"inputSchema":{"type":"object","properties":{"destination":{"type":"string"}}}},` +
		`{"name":"test_simple_text"` + empty + `,{"name":"test_input_required_result_elicitation"` + empty + `]}`,
	"prompts/list":             `{` + hints + `,"prompts":[{"name":"test_input_required_result_prompt","description":"Asks for its topic."}]}`,
	"resources/list":           `{` + hints + `,"resources":[]}`,
	"resources/templates/list": `{` + hints + `,"resourceTemplates":[]}`,
}
