import { afterEach, expect, test } from 'vitest'
import { cotton } from '#game/cotton.ts'
import { type Chain, ChainUnavailable } from '#server/chain/port.ts'
import { takeDepositAddress } from '#server/deposits/take-address.ts'
import { createPlayerWith } from '#tests/support/chain-test-players.ts'
import { makeOps } from '#tests/support/operators.ts'
import { setUpChainTestWorld } from '#tests/support/set-up-chain-test-world.ts'
import { readLog } from './operator-log.ts'

const world = setUpChainTestWorld()
const { operators, run } = makeOps(world)

afterEach(() => {
  process.exitCode = undefined
})

test.each([
  ['reconcile', ['reconcile', '--by', 'ana']],
  ['restored', ['restored', '--take-back', '--reason', 'It was paid before.', ...operators.key('ana')]],
])('what %s has credited is in the operator log although a node fails later', async (command, args) => {
  await world.newSigner()
  const wallet = await createPlayerWith(world, { deposited: 5 })
  const now = world.clock.now()
  const address = (await takeDepositAddress(world.api, { wallet: wallet.address, now }))!
  await world.waitUntilFinal(await world.gift(wallet.address, cotton(7)))
  await world.waitUntilFinal(await world.transfer(wallet, address.owner, cotton(7)))
  const { treasuryTokens } = await world.newSigner()
  const history: Chain['history'] = (of, query) =>
    of === treasuryTokens
      ? Promise.reject(new ChainUnavailable('No Solana node answers'))
      : world.chain.history(of, query)
  const failing = { ...world.chain, history }
  await expect(run(args, { connect: async () => failing })).rejects.toThrow('No Solana node answers')
  const outcome = expect.stringContaining(': 1 missed deposits of 7 $COTTON credited.')
  expect(await readLog(world.owner, 1)).toMatchObject([{ command, outcome }])
})
