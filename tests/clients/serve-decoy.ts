import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

// A listener that is not the game. The hostile clients work against it as hard as against the game, so that their own cost
// to the players, who share a processor with them, can be told from the game's.
const server = createServer({ headersTimeout: 5_000, requestTimeout: 8_000, connectionsCheckingInterval: 25 })
server.on('request', (request, response) => {
  request.resume()
  response.setHeader('connection', 'close').end('{}')
})
server.on('clientError', (_error, socket) => socket.destroy())
server.on('upgrade', (_request, socket) => socket.destroy())
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
process.once('disconnect', () => process.exit())
