import { CONSOLE_ROUTES, type ConsoleRouteName } from '#contract/console/routes.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { withDatabase } from '#server/processes/postgres/postgres.ts'
import { withLogin } from '#server/platform/db/roles.ts'
import { rowOf, sql, openDb } from '#server/platform/db/db.ts'
import { FIRST_PLAYER, growConsole } from '#tests/support/grow-console.ts'
import {
  callConsole,
  logInToConsole,
  openConsole,
  type TestConsole,
} from '#tests/support/operators-console.ts'
import { PASSWORDS, startBenchPostgres } from '../bench-postgres.ts'
import { measureRounds, newVariant, type TimedVariant } from '../measure-rounds.ts'
import { type Measured, type Run, suiteOf } from '../suite.ts'

const FEW = 1_000
const MANY = 1_000_000
const MANY_QUICK = 20_000
const CALLS = 50

/** The operators' console with few and with many players. */
export const operatorsConsole = suiteOf('Pages of the operators’ console', measure, 90)

type Page = { name: string; route: ConsoleRouteName; query: Record<string, string> }

/** A page of each list, with the filters that choose its index. */
const pagesFor = (wallet: string): Page[] => [
  { name: 'open withdrawals', route: 'listWithdrawals', query: { state: 'open' } },
  { name: 'paid withdrawals', route: 'listWithdrawals', query: { state: 'finalized' } },
  { name: 'pending deposits', route: 'listDeposits', query: { view: 'pending' } },
  { name: 'credited deposits', route: 'listDeposits', query: { view: 'credited' } },
  { name: 'deposits of nobody', route: 'listDeposits', query: { view: 'unassigned' } },
  { name: 'players', route: 'listPlayers', query: { search: wallet.slice(0, 1) } },
  { name: 'a player', route: 'readPlayer', query: { wallet } },
  { name: 'journals', route: 'listJournals', query: {} },
  { name: 'journals of a kind', route: 'listJournals', query: { kind: 'hire' } },
  { name: 'journals of a wallet', route: 'listJournals', query: { wallet } },
  { name: 'signed acts', route: 'listActs', query: {} },
  { name: 'the log', route: 'listLog', query: {} },
  { name: 'activity of 30 days', route: 'readActivity', query: { span: 'month' } },
  { name: 'versions for polling', route: 'readLive', query: {} },
]

type Opened = { console: TestConsole; token: string; pages: Page[] }

async function measure({ quick, say, closers }: Run): Promise<Measured> {
  const many = quick ? MANY_QUICK : MANY
  const { ownerUrl } = await startBenchPostgres({ closers })
  const small = await open(ownerUrl, FEW, { closers, say })
  const large = await open(await createDatabase(ownerUrl), many, { closers, say })
  const variants = small.pages.flatMap(({ name }, at): TimedVariant[] => {
    const base = nameOf(name, FEW)
    return [timed(small, at, newVariant(base, base)), timed(large, at, newVariant(nameOf(name, many), base))]
  })
  await measureRounds(variants, { rounds: quick ? 3 : 9, say })
  return {
    base: variants[0]!.variant.name,
    unit: 'pages',
    variants: variants.map(({ variant }) => variant),
    // A page takes at most twice as long.
    targets: small.pages.map(({ name }) => ({
      what: name,
      of: nameOf(name, many),
      over: nameOf(name, FEW),
      atLeast: 0.5,
    })),
    facts: { 'Calls in a row': CALLS, 'Players at most': many, 'Ledger entries at most': many * 10 },
  }
}

const nameOf = (page: string, players: number): string => `${page}, ${players.toLocaleString('en')} players`

function timed(
  { console, token, pages }: Opened,
  at: number,
  variant: TimedVariant['variant'],
): TimedVariant {
  const { route, query } = pages[at]!
  return {
    variant,
    async run() {
      const from = performance.now()
      for (let call = 0; call < CALLS; call++) {
        const { status, body } = await callConsole(console, CONSOLE_ROUTES[route], { token, query })
        if (status !== 200) throw new Error(`${route} was answered with ${status}: ${JSON.stringify(body)}`)
      }
      return { done: CALLS, seconds: (performance.now() - from) / 1_000 }
    },
  }
}

/** A second migrated database on the same server. */
async function createDatabase(ownerUrl: string): Promise<string> {
  const owner = openDb(ownerUrl, { max: 1, applicationName: 'bench-owner', allowFullScans: true })
  await owner.rows(sql({ name: 'bench-create-database', text: 'create database bench_many' }))
  await owner.end()
  const url = withDatabase(ownerUrl, 'bench_many')
  await migrate({ url, passwords: PASSWORDS, ownCluster: true })
  return url
}

async function open(
  ownerUrl: string,
  players: number,
  { closers, say }: Pick<Run, 'closers' | 'say'>,
): Promise<Opened> {
  say(`filling the tables of ${players.toLocaleString('en')} players`)
  await growConsole(ownerUrl, players)
  const owner = openDb(ownerUrl, { max: 1, applicationName: 'bench-owner', allowFullScans: true })
  const [row] = await owner.rows(
    sql({ name: 'bench-first-player', row: rowOf<{ wallet: string }>(), text: FIRST_PLAYER }),
  )
  await owner.end()
  const console = await openConsole({
    urlFor: (role) => withLogin(ownerUrl, { name: role, password: PASSWORDS[role] }),
    clock: { now: () => new Date('2026-01-05T12:00:00.000Z') },
  })
  closers.push(() => console.close())
  const token = await logInToConsole(console, console.addOperator('Ana', 'view'))
  return { console, token, pages: pagesFor(row!.wallet) }
}
