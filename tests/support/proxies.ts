import { createServer, request, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'

type OpenServer = { url: string; close(): void }

async function listen(server: Server): Promise<OpenServer> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** A reverse proxy that can be set up wrongly. */
export async function startReverseProxy(
  target: string,
  { passesUpgrades = true, maxBodyBytes = Infinity }: { passesUpgrades?: boolean; maxBodyBytes?: number },
): Promise<OpenServer> {
  const { hostname, port } = new URL(target)
  const server = createServer((incoming, answer) => {
    if (Number(incoming.headers['content-length'] ?? 0) > maxBodyBytes) return answer.writeHead(413).end()
    const { method, url } = incoming
    // As every proxy does: these two are for the proxy itself.
    const { upgrade: _upgrade, connection: _connection, ...headers } = incoming.headers
    const forwarded = request({ hostname, port, method, path: url, headers }, (response) =>
      response.pipe(answer.writeHead(response.statusCode ?? 502, response.headers)),
    )
    forwarded.once('error', () => answer.writeHead(502).end())
    return incoming.pipe(forwarded)
  })
  // Without a listener Node handles an upgrade as a plain request.
  if (passesUpgrades)
    server.on('upgrade', ({ url, rawHeaders }, socket) => {
      const lines = rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${rawHeaders[at + 1]}`] : []))
      const upstream = connect(Number(port), hostname, () =>
        upstream.write(`GET ${url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`),
      )
      socket.once('error', () => upstream.destroy())
      upstream.once('error', () => socket.destroy())
      upstream.pipe(socket).pipe(upstream)
    })
  return listen(server)
}

/** Changes the result of a JSON-RPC method. */
export type RpcEdits = Record<string, (result: unknown) => unknown>

/** A node that answers as `target` does, except for the edited methods. */
export async function startEditingNode(target: string, edits: RpcEdits): Promise<OpenServer> {
  const server = createServer((incoming, answer) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const forward = async () => {
        const body = Buffer.concat(chunks).toString()
        const headers = { 'content-type': 'application/json' }
        const response = await fetch(target, { method: 'POST', headers, body })
        const { method, id } = JSON.parse(body) as { method: string; id: unknown }
        const reply = (await response.json()) as { result?: unknown }
        const edit = edits[method]
        const edited = edit ? { jsonrpc: '2.0', id, result: edit(reply.result) } : reply
        answer.writeHead(200, headers).end(JSON.stringify(edited))
      }
      forward().catch(() => answer.destroy())
    })
  })
  return listen(server)
}
