// A server on the official TypeScript SDK that asks twice: typescript_server.mjs (stdio) or typescript_server.mjs PORT (HTTP).
import { createServer } from 'node:http';
import { McpServer, acceptedContent, createMcpHandler, inputRequired } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { toNodeHandler } from '@modelcontextprotocol/node';
import * as z from 'zod';

const Seat = z.object({ seat: z.string() });
const Sure = z.object({ sure: z.boolean() });

function factory() {
  const server = new McpServer({ name: 'typescript-peer', version: '1.0.0' });
  const config = { description: 'Books a seat', inputSchema: z.object({ destination: z.string() }) };
  server.registerTool('book', config, async ({ destination }, ctx) => {
    const state = ctx.mcpReq.requestState?.();
    const seat = state ? state : acceptedContent(ctx.mcpReq.inputResponses, 'seat', Seat)?.seat;
    if (seat === undefined) {
      return inputRequired({ inputRequests: { seat: inputRequired.elicit({ message: 'Which seat?', requestedSchema: Seat }) } });
    }
    const sure = acceptedContent(ctx.mcpReq.inputResponses, 'sure', Sure);
    if (sure === undefined) {
      const ask = inputRequired.elicit({ message: `Seat ${seat}, sure?`, requestedSchema: Sure });
      return inputRequired({ inputRequests: { sure: ask }, requestState: seat });
    }
    return { content: [{ type: 'text', text: `booked ${destination} ${seat} ${sure.sure}` }] };
  });
  return server;
}

const port = process.argv[2];
if (port) createServer(toNodeHandler(createMcpHandler(factory))).listen(Number(port), '127.0.0.1');
else serveStdio(factory);
