import { randomBytes } from 'node:crypto'
import { getAddressDecoder } from '@solana/kit'
import { expect, onTestFinished, test } from 'vitest'
import { cotton } from '#game/cotton.ts'
import { type Config, readConfig } from '#server/platform/config.ts'
import { openCaseContext } from '#tests/corpora/case-context.ts'
import { createDepositor } from '#tests/support/depositors.ts'
import { readCreditOf, runQuery, waitUntil } from '#tests/support/chain-test-world.ts'
import { setUpChainTestWorld } from '#tests/support/set-up-chain-test-world.ts'
import { startWatcher } from './watch-deposits.ts'
import { startForeignWatch } from './watch-foreign-accounts.ts'

const world = setUpChainTestWorld()

const config = (): Config => ({
  ...readConfig({
    SOLANA_RPC_URL: world.rpcUrl,
    COTTON_MINT: world.chain.facts.mint,
    LOCAL_CHAIN: 'on',
  }),
  databaseUrl: world.urlFor('watcher'),
})

const findConnections = `select from pg_stat_activity
  where datname = current_database() and application_name = $1`

// Watchers of other test files are connected to the same server.
const connectionsOf = async (name: string) => (await runQuery(world.owner, findConnections, [name])).length

/** Gives so many players addresses that the rotation does not reach the last of them within a test. */
async function addPlayers(count: number): Promise<void> {
  const newAddress = () => getAddressDecoder().decode(randomBytes(32))
  const owners = Array.from({ length: count }, newAddress)
  await runQuery(
    world.owner,
    `insert into deposit_addresses (index, owner, token_account, wallet, assigned_at)
     select (select max(index) from deposit_addresses) + n, owner, account, 'wallet of ' || owner, now()
     from unnest($1::text[], $2::text[]) with ordinality as made (owner, account, n)`,
    [owners, owners.map(newAddress)],
  )
}

test('a watcher finds the deposit of one of many players by its balance, and leaves no connection', async () => {
  const { wallet, address } = await createDepositor(world, 3)
  await addPlayers(500)
  await runQuery(
    world.owner,
    'update deposit_addresses set index = (select max(index) + 1 from deposit_addresses) where owner = $1',
    [address.owner],
  )
  await world.waitUntilFinal(await world.transfer(wallet, address.owner, cotton(3)))
  const watcher = await startWatcher(config(), world.log)
  let running = true
  onTestFinished(async () => {
    if (running) await watcher.stop()
  })
  await waitUntil(async () => (await readCreditOf(world.owner, wallet.address)).deposited === cotton(3))
  await watcher.stop()
  running = false
  for (const name of ['watcher', 'balances']) await waitUntil(async () => (await connectionsOf(name)) === 0)
})

test('the watch of foreign accounts records a wrong token that no history of the player shows', async () => {
  const thief = await world.wallet()
  await world.waitUntilFinal(await world.gift(thief.address, cotton(10)))
  const stage = await openCaseContext(world, await world.newSigner(), thief)
  const { account, made } = await stage.loose(stage.player.owner)
  await stage.settle(await stage.run(made))
  await stage.settle(await stage.run([stage.move({ to: account, amount: 9n })]))
  const watch = await startForeignWatch(config(), world.log)
  onTestFinished(() => watch.stop())
  await waitUntil(
    async () =>
      (
        await runQuery(
          world.owner,
          `select from receipts where token_account = $1 and asset = 'other_token' and amount = 9`,
          [account],
        )
      ).length === 1,
  )
  expect((await readCreditOf(world.owner, stage.player.wallet)).deposited).toBe(0n)
})
