import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export type BreakableDatabase = {
  url: string
  /** Breaks the connection of the next commit: before Postgres receives it, or after Postgres has answered it. */
  breakNextCommit(when: 'before' | 'after', options?: { thenGoAway: boolean }): void
  /** Lets Postgres commit, and answers in its place that it panics, as one whose disk fails. */
  panicAtNextCommit(): void
  /** Breaks the next connection of this application when it is opened. */
  breakNextConnectionOf(applicationName: string): void
  /** From now on the connections of now pass nothing on, and are not closed. New ones work. */
  fallSilent(): void
  /** Accepts connections again. */
  restore(): void
  close(): Promise<void>
}

/** An error as Postgres sends it. */
const PANIC = (() => {
  const fields = Buffer.from('SPANIC\0VPANIC\0C58030\0Mcould not fsync file\0\0')
  const head = Buffer.from('E....')
  head.writeUInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
})()

/** A proxy in front of a Postgres whose connections break on request. */
export async function breakableDatabase(url: string): Promise<BreakableDatabase> {
  const { hostname, port } = new URL(url)
  const sockets = new Set<Socket>()
  let breakCommit: 'before' | 'after' | null = null
  let breakConnectionOf: string | null = null
  let isAway = false
  let goesAway = false
  let panics = false
  let generation = 0
  const goAway = () => {
    isAway = true
    for (const each of sockets) each.destroy()
  }
  const proxy = createServer((client) => {
    if (isAway) return client.resetAndDestroy()
    const server = connect(Number(port), hostname)
    let dropAnswers = false
    const own = generation
    for (const each of [client, server]) {
      sockets.add(each)
      each.on('error', () => {})
      each.on('close', () => {
        sockets.delete(each)
        client.destroy()
        server.end()
      })
    }
    client.on('data', (bytes) => {
      if (own < generation) return
      if (breakConnectionOf && bytes.includes(`application_name\0${breakConnectionOf}\0`)) {
        breakConnectionOf = null
        return void client.resetAndDestroy()
      }
      if (breakCommit && bytes.includes('tx-commit')) {
        const when = breakCommit
        breakCommit = null
        if (when === 'before') return void client.resetAndDestroy()
        dropAnswers = true
      }
      server.write(bytes)
    })
    server.on('data', (bytes) => {
      if (own < generation) return
      if (!dropAnswers) return void client.write(bytes)
      if (panics) {
        panics = false
        return void client.end(PANIC)
      }
      client.resetAndDestroy()
      if (goesAway) goAway()
    })
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const proxied = new URL(url)
  proxied.port = String((proxy.address() as AddressInfo).port)
  return {
    url: proxied.href,
    breakNextCommit(when, { thenGoAway } = { thenGoAway: false }) {
      breakCommit = when
      goesAway = thenGoAway
    },
    panicAtNextCommit() {
      breakCommit = 'after'
      panics = true
    },
    breakNextConnectionOf: (applicationName) => void (breakConnectionOf = applicationName),
    fallSilent: () => void (generation += 1),
    restore: () => void (isAway = false),
    close: () => new Promise((resolve) => proxy.close(() => resolve())),
  }
}
