import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getBase58Decoder } from '@solana/kit'
import { afterAll, afterEach, expect, test } from 'vitest'
import { cotton } from '#game/cotton.ts'
import { buildSignedForm, SIGNED_FORMS } from '#server/account/signed-forms/signed-forms.ts'
import { ChainUnavailable } from '#server/chain/port.ts'
import { NO_OPERATORS } from '#server/operators/read-operators.ts'
import { rebuildMessage } from '#server/operators/submit-act.ts'
import { recordSignerState } from '#server/signer/signer-state.ts'
import { createPlayerWith, withdraw } from '#tests/support/chain-test-players.ts'
import { readCreditOf, runQuery, SITE } from '#tests/support/chain-test-world.ts'
import { makeOps } from '#tests/support/operators.ts'
import { setUpChainTestWorld } from '#tests/support/set-up-chain-test-world.ts'
import { readLog } from './operator-log.ts'

const world = setUpChainTestWorld()
const { operators, run, context, execute } = makeOps(world, ['ana', 'ben'])
const dir = mkdtempSync(join(tmpdir(), 'cotton-farm-acts-'))
afterAll(() => rmSync(dir, { recursive: true }))
afterEach(async () => execute())

function write(name: string, text: string): string {
  const path = join(dir, name)
  writeFileSync(path, text)
  return path
}

const giving = (wallet: string) => [
  'adjust',
  wallet,
  '0.5',
  '--class',
  'earned',
  '--reason',
  'Ein Preis: größer, 綿',
]
/** With these no signer executes what is signed. */
const unexecuted = () => ({ publicUrl: SITE.uri, operators: operators.read(), sleep: async () => {} })

const earnedOf = async (wallet: string) => (await readCreditOf(world.owner, wallet)).earned

test('the message names the game as its signer does, and a shell with the settings of another game signs nothing', async () => {
  const { address } = await createPlayerWith(world, { deposited: 1 })
  const settings = { publicUrl: 'http://localhost:3001', operators: operators.read() }
  const acts = { ...settings, sleep: () => execute() }
  const args = [...giving(address), '--operator', operators.of('ana').wallet]
  expect(await run(args, { acts })).toMatch(/^Cotton Farm operator, localhost:3001\n/)
  await recordSignerState(world.signer, {
    stage: 'ready',
    startedAt: world.clock.now(),
    origin: SITE.uri,
    now: world.clock.now(),
  })
  expect(await run(args, { acts })).toMatch(/^Cotton Farm operator, farm\.test\n/)
  expect(await run([...giving(address), ...operators.key('ana')], { acts })).toContain('Adjusted: ')
  const elsewhere = { ...acts, publicUrl: 'https://other.example' }
  await expect(run(args, { acts: elsewhere })).rejects.toThrow(
    'The signer serves http://farm.test, and PUBLIC_URL is https://other.example here. They have to agree.',
  )
  await runQuery(world.owner, `delete from settings where name = 'signer_state'`)
})

test('the shell prints the message, and does the act once it is handed the signature', async () => {
  const { address } = await createPlayerWith(world, { deposited: 1 })
  const args = giving(address)
  const { wallet, sign } = operators.of('ana')
  const encodings = ['base64', 'hex', 'base58'] as const
  for (const [done, encoding] of encodings.entries()) {
    const message = await run([...args, '--operator', wallet])
    expect(message).toMatch(
      /^Cotton Farm operator, farm\.test\nWorld: \S+\nAct: adjust earned credit\nAmount: 0\.5 /,
    )
    const bytes = Buffer.from(sign(message), 'base64')
    const text = encoding === 'base58' ? getBase58Decoder().decode(bytes) : bytes.toString(encoding)
    const files = [
      '--message',
      write('act.txt', `${message}\n`),
      '--signature',
      write('act.sig', `${text}\n`),
    ]
    expect(await run([...args, ...files])).toContain('Adjusted: ')
    expect(await earnedOf(address)).toBe(BigInt(done + 1) * 500_000n)
    // The same files again say what became of the act, and change nothing.
    expect(await run([...args, ...files])).toContain('Adjusted: ')
    expect(await earnedOf(address)).toBe(BigInt(done + 1) * 500_000n)
    await expect(run(['adjust', address, '5', ...args.slice(3), ...files])).rejects.toThrow(
      'not the one of this act',
    )
  }
  expect((await readLog(world.owner, 1))[0]!.outcome).toContain('Refused: The signed message is not')
})

test('a wallet may sign the message in every form that can carry it', async () => {
  const { address } = await createPlayerWith(world, { deposited: 1 })
  const { wallet, signBytes } = operators.of('ana')
  for (const [done, form] of SIGNED_FORMS.entries()) {
    const args = ['adjust', address, '0.5', '--class', 'earned', '--reason', `In the form ${form}`]
    const message = await run([...args, '--operator', wallet])
    const act = {
      kind: 'adjust',
      creditClass: 'earned',
      wallet: address,
      amount: '0.5',
      reason: args.at(-1)!,
    }
    const rebuilt = rebuildMessage(await context(), {
      act,
      operator: wallet,
      message,
      now: world.clock.now(),
    })
    if (rebuilt.problem !== null) throw new Error(rebuilt.problem)
    const signature = signBytes(Uint8Array.from(buildSignedForm(SITE, rebuilt.toSign, form)))
    const sig = write('act.sig', Buffer.from(signature).toString('base64'))
    await run([...args, '--message', write('act.txt', message), '--signature', sig])
    expect(await earnedOf(address), form).toBe(BigInt(done + 1) * 500_000n)
  }
})

test('a second act with the number of one that waits is announced before it is signed, beside the message', async () => {
  const [ana, other] = [
    await createPlayerWith(world, { deposited: 1 }),
    await createPlayerWith(world, { deposited: 1 }),
  ]
  const warnings: string[] = []
  const over = { acts: unexecuted(), warn: (line: string) => void warnings.push(line) }
  const asking = ['--operator', operators.of('ben').wallet]
  await run([...giving(ana.address), ...operators.key('ana')], over)
  // Whoever has the console's login can store this.
  await runQuery(
    world.owner,
    `insert into operator_acts (nonce, kind, details, operator, signature, signed_form, at, expires_at, number)
     values (md5('forged'), 'adjust', jsonb_build_object('wallet', $1::text), 'nobody', decode(repeat('00', 64), 'hex'), 'raw', $2::timestamptz,
       $2::timestamptz + interval '1 hour', 1)`,
    [other.address, world.clock.now()],
  )
  await run([...giving(other.address), ...asking], over)
  expect(warnings).toEqual([])
  const warning = /^WARNING: ana has signed adjustment 1 of this wallet at \S+, and it waits for /
  const message = await run([...giving(ana.address), ...asking], over)
  expect(message).toMatch(/^Cotton Farm operator, .*\nExpires: \S+$/s)
  expect(warnings).toEqual([expect.stringMatching(warning)])
  await run([...giving(ana.address), ...operators.key('ben')], over)
  expect(warnings).toEqual([expect.stringMatching(warning), expect.stringMatching(warning)])
  expect(await run(['status'], over)).toMatch(/^signed acts +3 not executed yet, the oldest signed at \S+$/m)
  await execute()
  expect(await run(['status'], over)).not.toContain('signed acts')
  expect(await earnedOf(ana.address)).toBe(500_000n)
  await run([...giving(ana.address), ...asking], over)
  expect(warnings).toHaveLength(2)
})

test('rejections that the signer has not executed yet do not count as rejected', async () => {
  const player = await createPlayerWith(world, { deposited: 3 })
  const ids = [
    (await withdraw(world, player, cotton(1))).id,
    (await withdraw(world, player, cotton(1))).id,
    (await withdraw(world, player, cotton(1))).id,
  ]
  let sleeps = 0
  const idle = { ...unexecuted(), sleep: async () => void (sleeps += 1) }
  const rejecting = ['--reason', 'No.', ...operators.key('ana')]
  const first = await run(['reject', ids[0]!, ...rejecting], { acts: idle })
  expect(first).toMatch(/^Signed and stored, not done yet\. /)
  const sleepsForOne = sleeps
  const output = await run(['reject', ids[1]!, ids[2]!, ...rejecting], { acts: idle })
  expect(output).toMatch(/\nRejected 0 of 2\. 2 wait for the signer\.$/)
  expect(sleeps).toBe(2 * sleepsForOne)
  await execute()
  expect((await readCreditOf(world.owner, player.address)).deposited).toBe(cotton(3))
})

test('what is missing or wrong is said in a sentence with a remedy', async () => {
  const { address } = await createPlayerWith(world, { deposited: 1 })
  const args = giving(address)
  const acts = { publicUrl: SITE.uri, sleep: async () => {} }
  await expect(run(args)).rejects.toThrow('An operator must sign this: --operator <wallet> | --message')
  await expect(run([...args, '--by', 'ana'])).rejects.toThrow('There is no option --by')
  await expect(run([...args, '--message', 'x'])).rejects.toThrow('belong together')
  for (const other of [
    ['--operator', operators.of('ben').wallet],
    ['--message', 'x', '--signature', 'x'],
  ])
    await expect(run([...args, ...operators.key('ana'), ...other])).rejects.toThrow('Choose one way to sign')
  await expect(run([...args, '--key', join(dir, 'none')])).rejects.toThrow('cannot be read')
  await expect(run([...args, '--key', write('bad.json', '[1,2]')])).rejects.toThrow(
    'not a Solana keypair file',
  )
  const files = ['--message', write('act.txt', 'hello'), '--signature', write('act.sig', 'no signature')]
  await expect(run([...args, ...files])).rejects.toThrow('is not a signature in base58, base64 or hex')
  await expect(
    run([...args, ...operators.key('ana')], { acts: { ...acts, operators: NO_OPERATORS } }),
  ).rejects.toThrow('No operators are named')
  await expect(run([...args.slice(0, -1), 'two\nlines', ...operators.key('ana')])).rejects.toThrow(
    '--reason must be one line',
  )
  operators.name({ ben: ['view'] })
  await expect(run([...args, ...operators.key('ana')])).rejects.toThrow('does not belong to an operator')
  await expect(run([...args, ...operators.key('ben')])).rejects.toThrow('ben does not have the right adjust')
  operators.name({ ana: ['adjust'] })
  expect(await run([...args, ...operators.key('ana')], { acts: unexecuted() })).toMatch(
    /^Signed and stored, not done yet\. The signer is not running: .* expires\.$/,
  )
  expect(await earnedOf(address)).toBe(0n)
})

test('a command says why the signer could not execute an act yet', async () => {
  const tokenBalances = async () => {
    throw new ChainUnavailable('No Solana node answers')
  }
  const acts = { ...unexecuted(), sleep: () => execute({ chain: { ...world.chain, tokenBalances } }) }
  const funding = ['fund', '1', '--reason', 'Rewards.', ...operators.key('ana')]
  expect(await run(funding, { acts })).toMatch(/ expires\. It waits: No Solana node answers$/)
})

test('several withdrawals are rejected with a key only', async () => {
  const ids = ['00000000-0000-4000-8000-000000000000', '00000000-0000-4000-8000-000000000001']
  const { wallet } = operators.of('ana')
  await expect(run(['reject', ...ids, '--reason', 'No', '--operator', wallet])).rejects.toThrow('use --key')
})
