// First: it extends the table that the world is computed from.
import { WIDENED } from '../sales/widen-land.ts'
import { openDb } from '#server/platform/db/db.ts'
import { openOwnerDb } from '../audit.ts'
import { startBenchPostgres } from '../bench-postgres.ts'
import { sharedCpuSources, withCpuTime } from '../cpu-columns.ts'
import { measureRounds } from '../measure-rounds.ts'
import { seedBuyers } from '../sales/buyers.ts'
import { openHires } from '../sales/open-hires.ts'
import { openMarket } from '../sales/open-market.ts'
import { openParcels } from '../sales/open-parcels.ts'
import { measureSale, type Sale, type SaleOptions } from '../sales/sale.ts'
import { prepareCluster, refreshSessions } from '../seed-players.ts'
import { startBothApis } from '../start-api.ts'
import type { Child } from '../start-child.ts'
import { closeAll, type Measured, type Run, suiteOf, type Target, type Variant } from '../suite.ts'

const CLIENTS = [1, 128, 512]

const SALES: Record<string, (options: SaleOptions) => Promise<Sale>> = {
  hires: openHires,
  parcels: openParcels,
  market: openMarket,
}

/** Purchases from the game and between players, with batching and without. */
export const sales = suiteOf('Sales with and without batching', measure)

async function measure(run: Run): Promise<Measured> {
  const variants: Variant[] = []
  const facts: Measured['facts'] = {}
  for (const [name, open] of Object.entries(SALES)) {
    const closers: Run['closers'] = []
    run.closers.push(() => closeAll(closers))
    const measured = await measureOne(name, open, { ...run, closers })
    await closeAll(closers)
    variants.push(...measured.variants)
    facts[`Sales acknowledged and found in the database: ${name}`] = measured.sold
  }
  return {
    base: variants[0]!.name,
    unit: 'sales',
    variants,
    targets: Object.keys(SALES).flatMap(targetsOf),
    facts,
  }
}

const unbatched = (sale: string) => `${sale}: without batching, 128 at once`
const batched = (sale: string, clients: number) => `${sale}: ${clients} at once`

const targetsOf = (sale: string): Target[] =>
  [128, 512].map((clients) => ({
    what: `${sale}: ${clients} at once, over 128 without batching`,
    of: batched(sale, clients),
    over: unbatched(sale),
    ...(clients === 512 && { atLeast: 4 }),
  }))

/** Each sale has its own Postgres, because they change the same land. */
async function measureOne(
  name: string,
  open: (options: SaleOptions) => Promise<Sale>,
  { quick, say, closers }: Run,
): Promise<{ variants: Variant[]; sold: number }> {
  const { ownerUrl, apiUrl } = await startBenchPostgres({ closers })
  await seedBuyers(ownerUrl)
  const owner = openOwnerDb(ownerUrl, { closers })
  const db = openDb(apiUrl, { max: 2, applicationName: 'bench-sales' })
  closers.push(() => db.end())
  const sale = await open({ owner, db })
  const apis = await startBothApis({
    apiUrl,
    env: { BENCH_MARKET: 'open' },
    execArgv: WIDENED,
    closers,
  })
  const cpu = await sharedCpuSources(owner)
  const base = unbatched(name)
  const over = (variant: string, api: Child<string>, clients: number) =>
    withCpuTime(variant, cpu.of(api), {
      base,
      run: () => measureSale(sale, { url: api.hello, clients, seconds: quick ? 0.3 : 1.5 }),
    })
  const timed = [
    over(base, apis.unbatched, 128),
    ...CLIENTS.map((clients) => over(batched(name, clients), apis.batched, clients)),
  ]
  let sold = 0
  await prepareCluster(ownerUrl)
  await measureRounds(timed, {
    rounds: quick ? 2 : 5,
    say,
    prepare: () => refreshSessions(ownerUrl),
    async check({ done }) {
      sold += done
    },
    audit: sale.audit,
  })
  return { variants: timed.map(({ variant }) => variant), sold }
}
