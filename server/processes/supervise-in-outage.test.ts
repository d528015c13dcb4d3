import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { setUpChainTestWorld } from '#tests/support/set-up-chain-test-world.ts'
import { superviseProcess } from './supervise-process.ts'

const world = setUpChainTestWorld()

test('a game that has run before starts without a watcher to which no node answers', async () => {
  const logged: string[] = []
  const log = pino({ level: 'error' }, { write: (line: string) => void logged.push(line) })
  const env = {
    PATH: process.env.PATH ?? '',
    LOG_LEVEL: 'error',
    DATABASE_URL: world.urlFor('watcher'),
    SOLANA_RPC_URL: 'http://127.0.0.1:9',
    COTTON_MINT: world.chain.facts.mint,
  }
  const watcher = superviseProcess({ role: 'watcher', env, log, graceMs: 0 })
  onTestFinished(() => watcher.stop())
  expect(await watcher.ready).toEqual({})
  // It is started again, as often as it takes.
  expect(logged.join()).toContain('The role watcher ended (SOLANA_RPC_URL does not answer: ')
})
