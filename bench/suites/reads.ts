import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readListings } from '#contract/market.ts'
import { readContinentStats, readParcels } from '#contract/parcels.ts'
import { readWorkerTypes } from '#contract/workers.ts'
import { openDb } from '#server/platform/db/db.ts'
import { startBenchPostgres } from '../bench-postgres.ts'
import { load } from '../load.ts'
import { openHttpConnection } from '../http-connection.ts'
import { seedBuyers } from '../sales/buyers.ts'
import { buyAllLand, listAllLand } from '../sales/land-owners.ts'
import type { Bytes } from '../reads/serve-bytes.ts'
import { cpuTimeOf } from '../cpu-time.ts'
import { measureRounds, type TimedVariant, newVariant } from '../measure-rounds.ts'
import { startChild } from '../start-child.ts'
import { buildWeb } from '../../scripts/build-web.mjs'
import { median } from '../statistics.ts'
import { type Run, type Measured, type Target, suiteOf } from '../suite.ts'

const CONNECTIONS = 32
const CPU_COLUMN = 'µs of CPU time per read'

/** Public reads and a script, compared with a bare Fastify handler that returns the same bytes. */
export const reads = suiteOf('Public reads and a bare handler', measure)

/** A route, and the bytes that the bare handler returns for it. */
type Read = {
  name: string
  /** The ratio that is aimed at, if any. */
  atLeast?: number
  path: string
  etag?: string
  bytes: Bytes
}

async function measure({ quick, say, closers }: Run): Promise<Measured> {
  if (!buildWeb(say)) throw new Error('The web app could not be built: see above.')
  const postgres = await startBenchPostgres({ closers })
  await seedBuyers(postgres.ownerUrl)
  const db = openDb(postgres.apiUrl, { max: 2, applicationName: 'bench-reads' })
  closers.push(() => db.end())
  await buyAllLand(db)
  await listAllLand(db)
  const api = await startChild<string>(new URL('../serve-api.ts', import.meta.url), {
    env: { DATABASE_URL: postgres.apiUrl, BENCH_MARKET: 'open' },
  })
  closers.push(() => api.stop())
  const all = await findReads(api.hello)
  const bare = await startChild(new URL('../reads/serve-bytes.ts', import.meta.url))
  closers.push(() => bare.stop())
  const bareUrl = await bare.ask<string>(all.map(({ bytes }) => bytes))
  for (const each of all) await expectSame(each, { api: api.hello, bare: bareUrl })

  const seconds = quick ? 0.5 : 1
  const ownCpu: number[] = []
  type Wanted = { url: string; base: string; pid: number; status: number; tag?: string }
  const variantTo = (name: string, { url, base, pid, status, tag }: Wanted) => {
    const used: number[] = []
    return {
      variant: { ...newVariant(name, base), more: { [CPU_COLUMN]: used } },
      async run() {
        const before = cpuTimeOf(pid)
        const turn = await readFor(url, { status, tag, seconds })
        const after = cpuTimeOf(pid)
        if (before !== undefined && after !== undefined) used.push(((after - before) / turn.done) * 1e6)
        ownCpu.push(turn.ownCpu)
        return turn
      },
    }
  }
  const variants: TimedVariant[] = all.flatMap(({ name, path, etag, bytes }) => {
    const base = bareVariant(name)
    // Both servers get the same request.
    const { search } = new URL(path, api.hello)
    const request = { base, status: etag === undefined ? 200 : 304, ...(etag && { tag: etag }) }
    return [
      variantTo(base, { ...request, url: bareUrl + bytes.path + search, pid: bare.pid }),
      variantTo(apiVariant(name), { ...request, url: api.hello + path, pid: api.pid }),
    ]
  })
  await measureRounds(variants, { rounds: quick ? 3 : 13, say })
  return {
    base: variants[0]!.variant.name,
    unit: 'reads',
    variants: variants.map(({ variant }) => variant),
    targets: all.map(targetOf),
    facts: {
      'Keep-alive connections': CONNECTIONS,
      'Share of one core used by the load generator': `${Math.round(median(ownCpu) * 100)} %`,
    },
  }
}

const bareVariant = (name: string) => `bare Fastify, ${name}`
const apiVariant = (name: string) => `the api, ${name}`

/**
 * No target for 304, which the bare handler sends without any header, nor for a file, which it sends without the headers of pages
 * and without a choice of encodings. The product cannot do that.
 */
function targetOf({ name, atLeast }: Read): Target {
  return {
    what: name,
    of: apiVariant(name),
    over: bareVariant(name),
    ...(atLeast !== undefined && { atLeast }),
  }
}

/** The api's responses. None changes while they are measured. */
async function findReads(api: string): Promise<Read[]> {
  const requests = [
    { name: 'types', path: readWorkerTypes.path, atLeast: 0.95 },
    { name: 'stats', path: readContinentStats.path, atLeast: 0.95 },
    { name: 'parcels of Europe', path: `${readParcels.path}?regionId=EU`, atLeast: 0.95 },
    { name: 'listings', path: readListings.path, atLeast: 0.95 },
    { name: 'script', path: findScript() },
  ]
  const found = await Promise.all(
    requests.map(async ({ name, path, atLeast }, at) => {
      const answer = await fetch(api + path)
      const body = await answer.text()
      if (answer.status !== 200) throw new Error(`${path} was answered with ${answer.status}`)
      const type = answer.headers.get('content-type') ?? ''
      const etag = answer.headers.get('etag') ?? ''
      const read: Read = {
        name: `${name}, ${(body.length / 1000).toFixed(1)} kB`,
        ...(atLeast && { atLeast }),
        path,
        bytes: { path: `/${at}`, type, body },
      }
      return { read, etag }
    }),
  )
  const parcels = found[2]!
  const current: Read = {
    name: 'parcels of Europe, not modified',
    path: parcels.read.path,
    etag: parcels.etag,
    bytes: { path: '/304', type: '', body: null },
  }
  return [...found.map(({ read }) => read), current]
}

/** The first script of the web app's start page. Without an accepted encoding it is sent as it is. */
function findScript(): string {
  const page = readFileSync(join(import.meta.dirname, '../../.build/web/index.html'), 'utf8')
  return /src="(\/assets\/[^"]+\.js)"/.exec(page)![1]!
}

/** Fails unless both servers respond with the same status, type and bytes. */
async function expectSame({ path, etag, bytes }: Read, { api, bare }: { api: string; bare: string }) {
  const read = async (url: string) => {
    const answer = await fetch(url, etag === undefined ? {} : { headers: { 'if-none-match': etag } })
    return `${answer.status} ${answer.headers.get('content-type')} ${await answer.text()}`
  }
  if ((await read(api + path)) !== (await read(bare + bytes.path))) {
    throw new Error(`The bare handler and ${path} answer differently`)
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
  const open = await Promise.all(Array.from({ length: CONNECTIONS }, () => openHttpConnection(origin)))
  const turn = await load({ clients: CONNECTIONS, seconds }, async (lane) => {
    const answered = await open[lane]!.send(request)
    if (answered !== status) throw new Error(`${url} was answered with ${answered}`)
    return true
  })
  for (const each of open) each.close()
  return turn
}
