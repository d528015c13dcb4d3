import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { rowOf, sql } from '#server/platform/db/db.ts'
import { startBenchPostgres } from '../bench-postgres.ts'
import { cpuTimeOf } from '../cpu-time.ts'
import { MINT, signatureOf } from '../deposits/node-answers.ts'
import type { NodeQuestion, NodeReport } from '../deposits/serve-node.ts'
import { accountOf, type AddressedWorld, fillWithAddresses } from '../deposits/fill-addresses.ts'
import { type Child, startChild } from '../start-child.ts'
import { type Measured, type Run, suiteOf } from '../suite.ts'

/** One pass of the watcher over the balances of a million deposit addresses, at its default pace. */
export const deposits = suiteOf('A pass over a million deposit addresses', measure, 30)

const ACCOUNTS = { full: 1_000_000, quick: 20_000 }
const PLANTED = 20
const MAX_PASS_MINUTES = 12
const POLL_MS = 1_000

/** After the pass has found a deposit, one of the next rounds credits it. They are five seconds apart. */
const CREDIT_LIMIT_MS = 30_000

async function measure({ quick, say, closers }: Run): Promise<Measured> {
  const postgres = await startBenchPostgres({ closers })
  const accounts = quick ? ACCOUNTS.quick : ACCOUNTS.full
  const world = await fillWithAddresses(postgres, accounts, closers)
  say(`${shown(accounts)} addresses are filled.`)
  const node = await startChild<{ port: number }>(new URL('../deposits/serve-node.ts', import.meta.url), {
    env: { BENCH_ACCOUNTS: String(accounts) },
  })
  closers.push(() => node.stop())
  const planted = Array.from({ length: PLANTED }, () => 1 + Math.floor(Math.random() * accounts))
  await ask(node, planted)
  const watcher = await startWatcher(world, { port: node.hello.port, closers })
  const memory: number[] = []
  const pass = await waitForPass(node, () => memory.push(memoryMbOf(watcher.pid)))
  const cpuTime = cpuTimeOf(watcher.pid) ?? Number.NaN
  say('The pass is complete.')
  await waitForCredits(world, planted)
  const { highestPerSecond, calls } = await ask(node, [])
  // The first third of the pass includes the start of the process.
  const settled = memory.slice(Math.ceil(memory.length / 3))
  return {
    columns: [
      'addresses',
      'time of the pass',
      'calls for balances',
      'most calls in a second',
      'CPU time',
      'memory',
    ],
    rows: [
      [
        shown(accounts),
        `${(pass.tookMs / 1_000).toFixed(0)} s`,
        shown(pass.balanceCalls),
        highestPerSecond,
        `${cpuTime.toFixed(1)} s`,
        `${Math.min(...settled)} to ${Math.max(...settled)} MB`,
      ],
    ],
    facts: {
      'Calls of all kinds until the end': shown(calls),
      'Deposits that arrived before the pass, all credited after it': new Set(planted).size,
      'Time of an answer of the node': '80 to 220 ms',
      'Where calls are counted': 'when the node reads them; a busy machine reads several late ones at once',
    },
  }
}

const shown = (count: number): string => count.toLocaleString('en')

const ask = (node: Child<unknown>, plant: number[]): Promise<NodeReport> =>
  node.ask<NodeReport>({ plant } satisfies NodeQuestion)

type WatcherOptions = { port: number } & Pick<Run, 'closers'>

/** The product's watcher, as an operator starts it. */
async function startWatcher(
  { watcherUrl }: AddressedWorld,
  { port, closers }: WatcherOptions,
): Promise<Child<{ type: string }>> {
  const watcher = await startChild<{ type: string }>(new URL('../../server/main.ts', import.meta.url), {
    args: ['watcher'],
    env: {
      DATABASE_URL: watcherUrl,
      SOLANA_RPC_URL: `http://127.0.0.1:${port}`,
      COTTON_MINT: MINT,
      LOG_LEVEL: 'error',
    },
  })
  closers.push(() => watcher.stop())
  if (watcher.hello.type !== 'ready') throw new Error(JSON.stringify(watcher.hello))
  return watcher
}

async function waitForPass(
  node: Child<unknown>,
  eachSecond: () => void,
): Promise<NonNullable<NodeReport['pass']>> {
  const endMs = performance.now() + MAX_PASS_MINUTES * 60_000
  while (performance.now() < endMs) {
    const { pass } = await ask(node, [])
    if (pass) return pass
    eachSecond()
    await sleep(POLL_MS)
  }
  throw new Error(`The pass took more than ${MAX_PASS_MINUTES} minutes`)
}

const countCredited = sql({
  name: 'bench-count-credited',
  params: { accounts: 'text[]', signatures: 'text[]' },
  row: rowOf<{ credited: bigint }>(),
  text: ({ accounts, signatures }) =>
    `select count(*) as credited from receipts
     where token_account = any(${accounts}) and signature = any(${signatures}) and state = 'credited'`,
})

async function waitForCredits({ owner }: AddressedWorld, planted: readonly number[]): Promise<void> {
  const numbers = [...new Set(planted)]
  const [accounts, signatures] = [numbers.map(accountOf), numbers.map(signatureOf)]
  const endMs = performance.now() + CREDIT_LIMIT_MS
  for (;;) {
    const [found] = await owner.rows(countCredited, { accounts, signatures })
    if (Number(found!.credited) === accounts.length) return
    if (performance.now() > endMs)
      throw new Error(`${found!.credited} of ${accounts.length} deposits were credited`)
    await sleep(POLL_MS)
  }
}

/** The resident memory of a process. */
const memoryMbOf = (pid: number): number =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024)
