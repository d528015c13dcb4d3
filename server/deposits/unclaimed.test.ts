import { expect, test } from 'vitest'
import { getTransferSolInstruction } from '@solana-program/system'
import { cotton } from '#game/cotton.ts'
import { signWithBlockhash } from '#server/chain/transactions.ts'
import { openCaseContext } from '#tests/corpora/case-context.ts'
import { runQuery } from '#tests/support/chain-test-world.ts'
import { ops } from '#tests/support/run-ops.ts'
import { setUpChainTestWorld } from '#tests/support/set-up-chain-test-world.ts'
import { creditDeposits } from './credit-deposits.ts'
import { readUncredited } from './read-uncredited.ts'
import { watchFreeAddress } from './watch-free-addresses.ts'

const world = setUpChainTestWorld({ signer: 'later' })
const operatorSees = () => ops({ db: world.owner, clock: world.clock }, 'receipts')

test('every receipt that is not credited is shown to its player with a reason, and to the operator', async () => {
  const signer = await world.newSigner()
  const thief = await world.wallet()
  await world.waitUntilFinal(await world.gift(thief.address, cotton(10)))
  expect(await operatorSees()).toBe('No receipt needs attention.')

  const stage = await openCaseContext(world, signer, thief)
  const { player, other } = stage
  const fake = await stage.counterfeit({ owner: player.owner, amount: 777n })
  await stage.run(fake.made)
  const { account, made } = await stage.loose(player.owner)
  await stage.run([...made, stage.move({ to: account, amount: 55n }), stage.name(player.owner)])
  const lifetime = await world.chain.latestBlockhash('confirmed')
  const source = thief.signer
  const pay = getTransferSolInstruction({ source, destination: player.owner, amount: 3_000_000n })
  const paid = await signWithBlockhash(source, lifetime, [pay])
  await world.chain.send(paid.wire)
  await world.waitUntilFinal(paid.signature)
  await world.waitUntilFinal(await stage.run([]))
  const deps = { db: world.watcher, chain: world.chain, clock: world.clock }
  await creditDeposits(deps, player)

  const { items } = await readUncredited(world.api, player.wallet)
  expect(items.map(({ asset, mint, amount, state }) => ({ asset, mint, amount, state }))).toEqual(
    expect.arrayContaining([
      { asset: 'other_token', mint: fake.mint, amount: '777', state: 'unclaimed' },
      { asset: 'other_token', mint: stage.mint, amount: '55', state: 'unclaimed' },
      { asset: 'sol', mint: null, amount: '3000000', state: 'unclaimed' },
    ]),
  )
  for (const { why } of items) expect(why).toMatch(/^[A-Z].*\.$/)
  expect(await readUncredited(world.api, other.wallet)).toEqual({ items: [], next: null })

  const seen = await operatorSees()
  expect(seen).toContain(`777 units of ${fake.mint}`)
  expect(seen).toContain('3000000 lamports')
  expect(
    seen.match(new RegExp(`of ${player.wallet}, at ${player.owner} \\(index \\d+\\)`, 'g')),
  ).toHaveLength(3)
})

test('what arrived at an unassigned address is shown to the operator', async () => {
  const [stranger, signer] = [await world.wallet(), await world.newSigner()]
  await world.waitUntilFinal(await world.gift(stranger.address, cotton(5)))
  const [free] = await runQuery<Parameters<typeof watchFreeAddress>[1]>(
    world.owner,
    `select owner, token_account as "tokenAccount", null as cursor, null as "ownerCursor"
           from deposit_addresses where wallet is null order by index limit 1`,
  )
  await world.waitUntilFinal(await world.transfer(stranger, free!.owner, cotton(5)))
  await watchFreeAddress({ db: world.watcher, chain: signer.chain, clock: world.clock }, free!)
  expect(await operatorSees()).toMatch(
    new RegExp(
      `5 \\$COTTON: arrived at an address that is not assigned to a player\\n +of no player, at ${free!.owner}`,
    ),
  )
})
