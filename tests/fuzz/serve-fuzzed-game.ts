import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { setFlagsFromString } from 'node:v8'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { cotton } from '#game/cotton.ts'
import { depositEntries } from '#game/credit.ts'
import type { FastifyInstance } from 'fastify'
import { createApp } from '#server/app.ts'
import { createConsole } from '#server/console/console-app.ts'
import { renewAddressOffer } from '#server/deposits/retire-addresses.ts'
import { openLedger } from '#server/ledger/ledger.ts'
import { auditBooks } from '#server/ops/audit-books.ts'
import { NO_OPERATORS, type Operator, type Operators } from '#server/operators/read-operators.ts'
import { readConfig } from '#server/platform/config.ts'
import { openDb } from '#server/platform/db/db.ts'
import { withLogin } from '#server/platform/db/roles.ts'
import { openChainTestWorld } from '#tests/support/chain-test-world.ts'
import { sharedPostgres } from '#tests/support/test-postgres.ts'
import type { FuzzedGameState, Order, Started } from './fuzzed-game.ts'

// The child process of `startFuzzedGame`: api, console and local chain, with the rights of their own logins. The parent
// sends it orders by name.

const problems: string[] = []

/** Errors in the log count as findings. The first ones are enough to find their cause. */
function record(line: string): void {
  if (problems.length < 50) problems.push(line.slice(0, 2_000))
}

// The build of the pages is not needed: one that answers is enough.
const PAGES = mkdtempSync(join(tmpdir(), 'cotton-farm-fuzz-'))
writeFileSync(join(PAGES, 'index.html'), '<!doctype html>')
process.once('exit', () => rmSync(PAGES, { recursive: true, force: true }))

async function serve(limited: boolean): Promise<void> {
  const log = pino({ level: 'error' }, { write: record })
  const world = await openChainTestWorld({ signer: 'first' })
  const { owner, api: db, clock, chain } = world
  const operatorsByWallet = new Map<string, Operator>()
  const operators = (): Operators => ({
    ...NO_OPERATORS,
    byWallet: operatorsByWallet,
    problem: null,
  })
  const config = readConfig({
    DATABASE_URL: world.ownerUrl,
    SOLANA_RPC_URL: world.rpcUrl,
    COTTON_MINT: chain.facts.mint,
    PUBLIC_URL: 'http://farm.test',
    DATA_DIR: '/nowhere',
    MARKET_MODE: 'open',
    RATE_LIMITS: limited ? 'on' : 'off',
  })
  const app = await createApp({ config, db, chain, clock, log })
  const url = await app.listen({ host: '0.0.0.0', port: 0 })
  const consoleApp = await openConsole()

  async function openConsole(): Promise<FastifyInstance> {
    const password = sharedPostgres().passwords.console
    const consoleDb = openDb(withLogin(world.ownerUrl, { name: 'console', password }), {
      max: 5,
      applicationName: 'fuzzed-console',
    })
    const opened = await createConsole(
      {
        db: consoleDb,
        clock,
        log,
        operators,
        config: { ...config, consoleUrl: 'http://localhost:4000' },
        version: '0.0.0',
      },
      PAGES,
    )
    await opened.listen({ host: '127.0.0.1', port: 0 })
    return opened
  }

  const orders: Record<Order['name'], (given: string) => Promise<unknown>> = {
    // As an adjustment, so that the books stay balanced.
    fund: (wallet) =>
      owner.transaction(async (tx) => {
        const ledger = await openLedger(tx, [wallet])
        ledger.post({
          wallet,
          at: clock.now(),
          kind: 'adjustment',
          detail: { reason: 'fuzz' },
          entries: depositEntries(wallet, cotton(100_000_000)),
        })
        ledger.write()
      }),
    nameOperator: async (wallet) =>
      void operatorsByWallet.set(wallet, {
        wallet,
        name: `Operator ${operatorsByWallet.size + 1}`,
        rights: new Set(['view', 'decide', 'adjust', 'settings']),
      }),
    measure: () => measure(app),
    audit: () => auditBooks(owner),
  }
  setInterval(() => void owner.transaction((tx) => renewAddressOffer(tx, clock.now())), 10_000).unref()
  process.on('message', async ({ id, name, given }: Order) => {
    const answer = await orders[name](given).then(
      (value) => ({ id, value }),
      (error: unknown) => ({ id, problem: String(error) }),
    )
    process.send?.(answer)
  })
  process.once('disconnect', () => void world.close().finally(() => process.exit()))
  const started: Started = {
    url: url.replace('0.0.0.0', '127.0.0.1'),
    consoleUrl: `http://127.0.0.1:${(consoleApp.server.address() as { port: number }).port}`,
    rpcUrl: world.rpcUrl,
  }
  process.send?.(started)
}

const collectGarbage = ((): (() => void) => {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as () => void
})()

async function measure({ server }: FastifyInstance): Promise<FuzzedGameState> {
  // Twice, because finalizers free more. In between, closed connections are removed.
  for (let round = 0; round < 2; round++) {
    await sleep(100)
    collectGarbage()
  }
  const { heapUsed, rss, external } = process.memoryUsage()
  const connections = await new Promise<number>((resolve) =>
    server.getConnections((_error, count) => resolve(count)),
  )
  return { usedBytes: heapUsed + external, rssBytes: rss, connections, problems: problems.splice(0) }
}

process.on('unhandledRejection', (error) =>
  record(`unhandled rejection: ${String((error as Error)?.stack ?? error)}`),
)

await serve(process.argv[2] === 'limited')
