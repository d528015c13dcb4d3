import { CLIENT_KINDS, type ClientCounts, HostileClients } from './hostile-clients.ts'

/** What the process of the hostile clients is asked for. */
export type HostileOrder =
  | { start: { url: string; counts: Record<string, number> } }
  | { stop: true }
  | { report: true }

export type HostileReport = Record<string, ClientCounts & { open: number }>

// A process of its own: its connections need as many open files as those of the server.
let running: [string, HostileClients][] = []

process.on('message', (order: HostileOrder) => {
  if ('start' in order) {
    const { url, counts } = order.start
    running = CLIENT_KINDS.filter(({ name }) => (counts[name] ?? 0) > 0).map((kind) => [
      kind.name,
      new HostileClients(kind, url),
    ])
    // Each kind has a network of its own, so that the limits of an address hold for each.
    for (const [at, [name, clients]] of running.entries()) void clients.maintain(counts[name]!, 10 + at)
  }
  if ('stop' in order) for (const [, clients] of running) clients.stop()
  if ('report' in order) {
    const report: HostileReport = Object.fromEntries(
      running.map(([name, clients]) => [name, { ...clients.counts, open: clients.openCount }]),
    )
    process.send?.(report)
  }
})
process.once('disconnect', () => process.exit())
