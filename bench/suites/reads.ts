import { readListings } from '#contract/market.ts'
import { readContinentStats, readParcels } from '#contract/parcels.ts'
import { readWorkerTypes } from '#contract/workers.ts'
import { openDb } from '#server/platform/db/db.ts'
import { startBenchPostgres } from '../bench-postgres.ts'
import { burst } from '../burst.ts'
import { keepAlive } from '../keep-alive.ts'
import { buyAllLand, offerLand, seedTraders } from '../market/traders.ts'
import type { Bytes } from '../reads/serve-bytes.ts'
import { processorOf } from '../processor-of.ts'
import { takeTurns, type TimedWay, wayOf } from '../rounds.ts'
import { startChild } from '../start-child.ts'
import { median } from '../statistics.ts'
import { type Course, type Measured, type Reach, suiteOf } from '../suite.ts'

const CONNECTIONS = 32
const SPENT = 'µs of the server’s processor a read'

/** What everybody reads, beside a bare Fastify handler that answers the same bytes. */
export const reads = suiteOf('Shared reads beside a bare handler', measure)

/** What is read, and what the bare handler knows of it. */
type Read = {
  name: string
  path: string
  etag?: string
  bytes: Bytes
  /** What the api says beside it. */
  headers: Record<string, string>
}

async function measure({ quick, say, closers }: Course): Promise<Measured> {
  const postgres = await startBenchPostgres({ closers })
  await seedTraders(postgres.ownerUrl)
  const db = openDb(postgres.apiUrl, { max: 2, applicationName: 'bench-reads' })
  closers.push(() => db.end())
  await buyAllLand(db)
  await offerLand(db)
  const api = await startChild<string>(new URL('../serve-api.ts', import.meta.url), {
    env: { DATABASE_URL: postgres.apiUrl, BENCH_MARKET: 'open' },
  })
  closers.push(() => api.stop())
  const all = await findReads(api.hello)
  const bare = await startChild(new URL('../reads/serve-bytes.ts', import.meta.url))
  closers.push(() => bare.stop())
  const bareUrl = await bare.ask<string>(
    all.flatMap(({ bytes, headers }) => [bytes, dressed(bytes, headers)]),
  )
  for (const each of all) await expectSame(each, { api: api.hello, bare: bareUrl })

  const seconds = quick ? 0.5 : 1
  const ownCpu: number[] = []
  type Wanted = { url: string; base: string; pid: number; status: number; tag?: string }
  const wayTo = (name: string, { url, base, pid, status, tag }: Wanted) => {
    const spent: number[] = []
    return {
      way: { ...wayOf(name, base), more: { [SPENT]: spent } },
      async run() {
        const before = processorOf(pid)
        const turn = await readFor(url, { status, tag, seconds })
        const after = processorOf(pid)
        if (before !== undefined && after !== undefined) spent.push(((after - before) / turn.done) * 1e6)
        ownCpu.push(turn.ownCpu)
        return turn
      },
    }
  }
  const ways: TimedWay[] = all.flatMap(({ name, path, etag, bytes }) => {
    const base = bareWay(name)
    // Whoever answers is asked in the same words.
    const { search } = new URL(path, api.hello)
    const asked = { base, status: etag === undefined ? 200 : 304, ...(etag && { tag: etag }) }
    return [
      wayTo(base, { ...asked, url: bareUrl + bytes.path + search, pid: bare.pid }),
      wayTo(`the same with the api’s headers, ${name}`, {
        ...asked,
        url: bareUrl + dressed(bytes, {}).path + search,
        pid: bare.pid,
      }),
      wayTo(apiWay(name), { ...asked, url: api.hello + path, pid: api.pid }),
    ]
  })
  await takeTurns(ways, { rounds: quick ? 3 : 13, say })
  return {
    base: ways[0]!.way.name,
    unit: 'reads',
    ways: ways.map(({ way }) => way),
    reach: all.map(reachOf),
    facts: {
      'Connections that stay open': CONNECTIONS,
      'Share of one core that the load generator took': `${Math.round(median(ownCpu) * 100)} %`,
    },
  }
}

const bareWay = (name: string) => `bare Fastify, ${name}`
const apiWay = (name: string) => `the api, ${name}`

/** A bare handler tells who has the answer without a single header; nobody set out to reach that. */
function reachOf({ name, etag }: Read): Reach {
  return { what: name, of: apiWay(name), over: bareWay(name), ...(etag === undefined && { atLeast: 0.95 }) }
}

// What every server says by itself, and what the bare handler says anyhow.
const OF_THE_WIRE = new Set(['connection', 'content-length', 'content-type', 'date', 'keep-alive'])

/** The same under another path, with headers. */
const dressed = (bytes: Bytes, headers: Record<string, string>): Bytes => ({
  ...bytes,
  path: `${bytes.path}/dressed`,
  headers,
})

/** What the api answers now; nothing of it changes while it is measured. */
async function findReads(api: string): Promise<Read[]> {
  const asked = [
    { name: 'types', path: readWorkerTypes.path },
    { name: 'stats', path: readContinentStats.path },
    { name: 'parcels of Europe', path: `${readParcels.path}?regionId=EU` },
    { name: 'listings', path: readListings.path },
  ]
  const found = await Promise.all(
    asked.map(async ({ name, path }, at) => {
      const answer = await fetch(api + path)
      const body = await answer.text()
      if (answer.status !== 200) throw new Error(`${path} was answered with ${answer.status}`)
      const type = answer.headers.get('content-type') ?? ''
      const etag = answer.headers.get('etag') ?? ''
      const headers = Object.fromEntries([...answer.headers].filter(([header]) => !OF_THE_WIRE.has(header)))
      const read: Read = {
        headers,
        name: `${name}, ${(body.length / 1000).toFixed(1)} kB`,
        path,
        bytes: { path: `/${at}`, type, body },
      }
      return { read, etag }
    }),
  )
  const parcels = found[2]!
  const current: Read = {
    headers: parcels.read.headers,
    name: 'parcels of Europe that the client has',
    path: parcels.read.path,
    etag: parcels.etag,
    bytes: { path: '/304', type: '', body: null },
  }
  return [...found.map(({ read }) => read), current]
}

/** Fails where the two do not answer the same bytes as the same type. */
async function expectSame({ path, etag, bytes }: Read, { api, bare }: { api: string; bare: string }) {
  const tell = async (url: string) => {
    const answer = await fetch(url, etag === undefined ? {} : { headers: { 'if-none-match': etag } })
    return `${answer.status} ${answer.headers.get('content-type')} ${await answer.text()}`
  }
  if ((await tell(api + path)) !== (await tell(bare + bytes.path))) {
    throw new Error(`The bare handler answers something else than ${path}`)
  }
}

async function readFor(
  url: string,
  { status, tag, seconds }: { status: number; tag?: string; seconds: number },
) {
  const { pathname, search, origin } = new URL(url)
  const request = [
    `GET ${pathname}${search} HTTP/1.1`,
    'host: bench.test',
    ...(tag === undefined ? [] : [`if-none-match: ${tag}`]),
    '\r\n',
  ].join('\r\n')
  const open = await Promise.all(Array.from({ length: CONNECTIONS }, () => keepAlive(origin)))
  const turn = await burst({ lanes: CONNECTIONS, seconds }, async (lane) => {
    const answered = await open[lane]!.send(request)
    if (answered !== status) throw new Error(`${url} was answered with ${answered}`)
    return true
  })
  for (const each of open) each.close()
  return turn
}
