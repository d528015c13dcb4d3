import { setTimeout as sleep } from 'node:timers/promises'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { openPools } from '#server/platform/measure.ts'
import { readRelease } from '#server/platform/release.ts'
import { METRICS, type MetricName, type MetricRole, type MetricRow } from './metric-table.ts'

type Labels = Record<string, string>

/** One value of a metric. */
export type Sample = { name: MetricName; labels?: Labels; value: number }

/** The metrics of this process. */
export type Metrics = {
  count(name: MetricName, labels?: Labels): void
  observe(name: MetricName, value: number, labels?: Labels): void
  set(sample: Sample): void
  /** Before each scrape, `read` replaces all samples of the metrics in `names`. If it fails or takes long, they are absent. */
  collect(names: readonly MetricName[], read: () => Promise<readonly Sample[]>): void
  /** All metrics in the text format of Prometheus. */
  text(): Promise<string>
  contentType: string
}

// Prometheus waits ten seconds for an answer. A database that is silent must not make it take the process for dead.
const MAX_READ_MS = 5_000

/** Creates every metric that the table lists for a role. */
export function createMetrics(role: MetricRole, { maxReadMs = MAX_READ_MS } = {}): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  // It would report 0 if the role is not permitted to count them.
  if (process.permission?.has('fs.read', '/proc/self/fd') === false)
    registry.removeSingleMetric('process_open_fds')
  const { counters, gauges, histograms } = createAll(role, registry)
  const collectors: (() => Promise<void>)[] = []
  const set = ({ name, labels = {}, value }: Sample): void => {
    gauges.get(name)?.set(labels, value)
    // A counter of another process.
    counters.get(name)?.inc(labels, value)
  }
  const metrics: Metrics = {
    contentType: registry.contentType,
    count: (name, labels = {}) => counters.get(name)?.inc(labels),
    observe: (name, value, labels = {}) => histograms.get(name)?.observe(labels, value),
    set,
    collect(names, read) {
      collectors.push(async () => {
        const late = sleep<Sample[]>(maxReadMs, [], { ref: false })
        const samples = await Promise.race([read(), late]).catch(() => [])
        for (const name of names) clear(gauges.get(name) ?? counters.get(name), METRICS[name])
        for (const sample of samples) set(sample)
      })
    },
    async text() {
      await Promise.all(collectors.map((collect) => collect()))
      return registry.metrics()
    },
  }
  set({ name: 'cotton_build_info', labels: { version: readRelease(), role }, value: 1 })
  metrics.collect(['cotton_db_connections', 'cotton_db_waiting_requests'], async () => readPools())
  return metrics
}

function createAll(role: MetricRole, registry: Registry) {
  const counters = new Map<string, Counter>()
  const gauges = new Map<string, Gauge>()
  const histograms = new Map<string, Histogram>()
  for (const [name, row] of Object.entries<MetricRow>(METRICS)) {
    if (!row.roles.includes(role)) continue
    const options = { name, help: row.help, labelNames: row.labels ?? [], registers: [registry] }
    if (row.type === 'counter') counters.set(name, new Counter(options))
    else if (row.type === 'gauge') gauges.set(name, new Gauge(options))
    else histograms.set(name, new Histogram({ ...options, buckets: [...(row.buckets ?? [])] }))
  }
  return { counters, gauges, histograms }
}

/** Removes all samples. A metric without labels is absent then, and not 0. */
function clear(metric: Gauge | Counter | undefined, { labels }: MetricRow): void {
  if (labels) metric?.reset()
  else metric?.remove()
}

function readPools(): Sample[] {
  return [...openPools].flatMap((readStats): Sample[] => {
    const { name: pool, total, idle, waiting } = readStats()
    return [
      { name: 'cotton_db_connections', labels: { pool, state: 'idle' }, value: idle },
      { name: 'cotton_db_connections', labels: { pool, state: 'busy' }, value: total - idle },
      { name: 'cotton_db_waiting_requests', labels: { pool }, value: waiting },
    ]
  })
}
