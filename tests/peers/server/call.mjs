// A call of three rounds with the official TypeScript client, in both eras: call.mjs FOLDER_OF_THE_CLIENT SERVER, a URL or a program that serves over stdio.
// The first answer to the last question is of the wrong type, so that it has to be asked again.
import assert from 'node:assert/strict';

const [, , folder, server] = process.argv;
const { Client, StreamableHTTPClientTransport } = await import(`${folder}/index.mjs`);
const { StdioClientTransport } = await import(`${folder}/stdio.mjs`);

function transport() {
    if (server.includes('://')) return new StreamableHTTPClientTransport(new URL(server));
    return new StdioClientTransport({ command: server, args: ['--stdio'] });
}

async function call(options, spoken) {
    const answers = {
        account: [{ account: 'business' }],
        seat: [{ seat: 'window' }],
        confirm: [{ confirm: 'certainly' }, { confirm: true }],
    };
    const asked = [];
    const client = new Client(
        { name: 'peer', version: '1' },
        { capabilities: { elicitation: { form: {}, url: {} } }, ...options },
    );
    client.setRequestHandler('elicitation/create', async (request) => {
        if (request.params.mode === 'url') {
            asked.push('page');
            return { action: 'accept' };
        }
        const [name] = Object.keys(request.params.requestedSchema.properties);
        asked.push(name);
        return { action: 'accept', content: answers[name].shift() };
    });
    await client.connect(transport());
    const result = await client.callTool({ name: 'book_trip', arguments: { destination: 'Lisbon', date: '2027-03-14' } });
    const text = result.content[0].text;
    const version = client.getNegotiatedProtocolVersion();
    console.log(`@modelcontextprotocol/client (${version}): ${asked.join(', ')}: ${text}`);
    assert.equal(version, spoken);
    assert.deepEqual(asked.slice(0, 2).sort(), ['account', 'seat']);
    assert.deepEqual(asked.slice(2, 4).sort(), ['confirm', 'page']);
    assert.deepEqual(asked.slice(4), ['confirm']);
    assert.match(text, /^Booked: Lisbon on 2027-03-14, window seat, from the business account/);
    await client.close();
}

await call({}, '2025-11-25');
await call({ versionNegotiation: { mode: { pin: '2026-07-28' } } }, '2026-07-28');
