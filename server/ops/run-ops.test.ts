import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { writeOperatorLog } from '#server/operators/operator-log.ts'
import { openDb } from '#server/platform/db/db.ts'
import { StartupError } from '#server/platform/startup-error.ts'
import { pauseWithdrawals } from '#server/withdrawals/withdrawal-pause.ts'
import { runQuery } from '#tests/support/chain-test-world.ts'
import { test, type TestWorld } from '#tests/support/test-world.ts'
import { runCommand } from './ops.ts'

const MAIN = join(import.meta.dirname, '../main.ts')

type Ended = { code: number; out: string; err: string }

function ops({ environment }: TestWorld, user: string, ...args: string[]): Promise<Ended> {
  const env = { ...process.env, ...environment, USER: user }
  return new Promise((resolve) => {
    execFile(process.execPath, [MAIN, 'ops', ...args], { env }, (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, out, err }),
    )
  })
}

test('a command prints its outcome and exits with 0; a refusal is one sentence and exits with 1 (X-13)', async ({
  world,
}) => {
  const pausing = ['pause', 'withdrawals', '--reason', 'a check']
  expect(await ops(world, 'Zoe', ...pausing)).toEqual({ code: 0, out: 'Withdrawals are paused.\n', err: '' })
  expect(await ops(world, 'Zoe', ...pausing)).toEqual({
    code: 1,
    out: '',
    err: expect.stringMatching(/^Withdrawals are already paused since \S+: a check\n$/),
  })
  expect(await ops(world, '', ...pausing)).toEqual({
    code: 1,
    out: '',
    err: '--by is missing: give your name.\n',
  })
  const log = await ops(world, 'Zoe', 'log')
  expect(log.out).toMatch(
    /^#1 .* zoe: pause withdrawals — a check\n {4}Withdrawals are paused\.\n#2 .*\n.*Refused: /,
  )
  const help = { code: 0, out: expect.stringContaining('reject <id>'), err: '' }
  expect(await ops(world, 'Zoe', 'help')).toEqual(help)
  expect(await ops(world, 'Zoe', 'reject', '--help')).toEqual(help)
})

test('a command that examines a game refuses what it does not know, as all others do', async ({ world }) => {
  const refused = (sentence: string) => ({ code: 1, out: '', err: `${sentence}\n` })
  expect(await ops(world, 'Zoe', 'doctor', '--fix')).toEqual(
    refused('There is no option --fix. Usage: no arguments'),
  )
  expect(await ops(world, 'Zoe', 'doctor', 'chain')).toEqual(
    refused('Expected 0 words, got 1. Usage: no arguments'),
  )
  expect(await ops(world, 'Zoe', 'upgrade-check', '--mesure')).toEqual(
    refused('There is no option --mesure. Usage: [--measure]'),
  )
  expect(await ops(world, 'Zoe', 'upgrade-check', '--measure')).toEqual({
    code: 0,
    out: 'Nothing to migrate: the database has the schema of this program.\n',
    err: '',
  })
})

test('a command prints no codes for a terminal that a login has stored', async ({ world }) => {
  const codes = '\u001b[2J\u009b2J\u202e'
  const db = openDb(world.urlFor('console'), { max: 1, applicationName: 'test' })
  const now = world.clock.now()
  await pauseWithdrawals(db, { why: `look${codes}`, now })
  await writeOperatorLog(db, { who: 'ana', now, command: 'note', outcome: `done${codes}` })
  await db.end()
  const shown = String.raw`\u001b[2J\u009b2J\u202e`
  const log = await ops(world, 'Zoe', 'log')
  expect(log.out).toContain(`Z  console  ana: note \n    done${shown}\n`)
  const refused = await ops(world, 'Zoe', 'pause', 'withdrawals', '--reason', 'a check')
  expect(refused.err).toContain(`look${shown}`)
})

test('a command prints no line that a login has stored within another one', async ({ world }) => {
  const db = openDb(world.urlFor('console'), { max: 1, applicationName: 'test' })
  const forged = '#9  2026-01-05T12:00:00.000Z  signer  ana: adjust'
  const now = world.clock.now()
  await writeOperatorLog(db, { who: 'ana', now, command: 'note', outcome: `done\n${forged}` })
  await db.end()
  const { out } = await ops(world, 'Zoe', 'log')
  expect(out).toContain(`  console  ana: note \n    ${String.raw`done\u000a`}${forged}\n`)
  await pauseWithdrawals(world.db, { why: `a\n${forged}`, now })
  const { err } = await ops(world, 'Zoe', 'pause', 'withdrawals', '--reason', 'a check')
  expect(err).toContain(`${String.raw`a\u000a`}${forged}`)
})

test('a line of the log that a login of 0.1.0 has damaged hides no other', async ({ world }) => {
  const { db } = world
  const add = (at: string, named: string, outcome: string) =>
    runQuery(
      db,
      `insert into operator_log (at, who, command, arguments, outcome) values ($1::timestamptz, 'eve', 'x', $2::jsonb, $3)`,
      [at, named, outcome],
    )
  await writeOperatorLog(db, { who: 'ana', now: world.clock.now(), command: 'note', outcome: 'the other' })
  await add('infinity', 'null', 'endless')
  await add('2026-01-05', '{"a": {"toString": 1}}', 'no text')
  await add('2026-01-05', `["${'x'.repeat(1_000_000)}"]`, 'y'.repeat(1_000_000))
  const { code, out, err } = await ops(world, 'Zoe', 'log')
  expect([code, err]).toEqual([0, ''])
  expect(out).toContain('the other')
  expect(out).toMatch(/9999-12-31T23:59:59\.000Z {2}\S+ {2}eve: x \n {4}endless\n/)
  expect(out).toContain('eve: x {"toString": 1}\n    no text\n')
  expect(out.length).toBeLessThan(20_000)
})

test('a command that loses its database says so in one sentence, and that it may have happened', async ({
  world: { db, clock },
}) => {
  const lost = Object.assign(new Error('terminating connection'), { code: '57P01' })
  const say = (): void => undefined
  const broken = { ...db, rows: () => Promise.reject(lost) }
  const frozen = runCommand(['frozen'], { db: broken, clock, say })
  await expect(frozen).rejects.toBeInstanceOf(StartupError)
  await expect(frozen).rejects.toThrow(
    'The database does not answer (terminating connection). What the command had begun may have happened',
  )
})

test('a database or login that is not that of the game is refused with the remedy', async ({ world }) => {
  const dir = mkdtempSync(join(tmpdir(), 'cotton-farm-ops-'))
  const fail = async (url: string, ...args: string[]) => {
    const environment = { ...world.environment, DATABASE_URL: url, DATABASE_DIRECT_URL: url, DATA_DIR: dir }
    const { code, out, err } = await ops({ ...world, environment }, 'Zoe', ...args)
    expect([code, out]).toEqual([1, ''])
    // A backup prints its progress before.
    return err.trimEnd().split('\n').at(-1)
  }
  const changed = (part: Partial<URL>) => Object.assign(new URL(world.directUrl), part).href
  for (const args of [['log'], ['backup', join(dir, 'a.tar.zst')]]) {
    expect(await fail(changed({ password: 'wrong' }), ...args)).toMatch(
      /^The database of DATABASE_URL refuses the login "owner": check its name and password/,
    )
    expect(await fail(changed({ pathname: '/postgres' }), ...args)).toMatch(
      /^The database is not that of the game, or is older than this program \(relation "\w+" does not exist\): check/,
    )
    expect(await fail(world.directUrlFor('api'), ...args)).toMatch(
      /^The login of DATABASE_URL may not do this \(permission denied for .*\): use the owner's login\.$/,
    )
  }
  rmSync(dir, { recursive: true })
})

test('the list of commands needs no game, and makes none', async ({ world }) => {
  const dir = mkdtempSync(join(tmpdir(), 'cotton-farm-ops-'))
  const environment = { DATA_DIR: dir, DATABASE_URL: '', DATABASE_DIRECT_URL: '' }
  expect(await ops({ ...world, environment }, 'Zoe')).toMatchObject({
    code: 0,
    out: expect.stringContaining('reject <id>'),
  })
  expect(readdirSync(dir)).toEqual([])
  rmSync(dir, { recursive: true })
})
