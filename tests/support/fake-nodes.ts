import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach } from 'vitest'

type Front = string | ((method: string, params: unknown[]) => object | null)

/**
 * Starts nodes that end after the test. One answers every request with this status, or never if it is null. With `front` it
 * forwards each request to that node, or returns the function's result; if that is null, it forwards to the real node.
 */
export function fakeNodes(
  realUrl: () => string,
): (status: () => number | null, front?: Front) => Promise<string> {
  const servers: Server[] = []
  afterEach(() => {
    for (const server of servers.splice(0)) server.close().closeAllConnections()
  })
  return async (status, front) => {
    const server = createServer(async (request, response) => {
      let body = ''
      for await (const chunk of request) body += String(chunk)
      const code = status()
      if (code === null) return
      response.writeHead(code)
      if (code !== 200 || front === undefined) return response.end()
      const { id, method, params } = JSON.parse(body) as { id: unknown; method: string; params: unknown[] }
      const canned = typeof front === 'string' ? null : front(method, params)
      if (canned !== null) return response.end(JSON.stringify({ jsonrpc: '2.0', id, ...canned }))
      const real = typeof front === 'string' ? front : realUrl()
      response.end(await (await fetch(real, { method: 'POST', body })).text())
    })
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }
}
