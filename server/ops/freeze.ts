import { freezeWallet, listFreezes, readFreeze } from '#server/freeze/freeze-wallet.ts'
import { walletBytes } from '#server/account/wallet-signature.ts'
import { StartupError } from '#server/platform/startup-error.ts'
import type { Command } from './command.ts'
import { runLogged } from './operator-log.ts'
import { required } from './read-arguments.ts'

export const freeze: Command = {
  usage: '<wallet> --by <name> --reason <text for the player>',
  description:
    'freezes a wallet: its player logs in and sees everything, but moves no value; deposits are still credited. The player reads the reason',
  positionals: 1,
  options: ['by', 'reason'],
  run(context, given) {
    const wallet = given.positionals[0]!
    const reason = required(given, 'reason')
    return runLogged(
      context,
      { command: 'freeze', arguments: { wallet }, given, stops: true },
      async (tx, { who, now }) => {
        if (!walletBytes(wallet)) throw new StartupError(`${wallet} is not a wallet address.`)
        if (!(await freezeWallet(tx, { wallet, reason, who, now }))) {
          const before = await readFreeze(tx, wallet)
          throw new StartupError(
            `${wallet} is already frozen since ${before?.since.toISOString()}: ${before?.reason}`,
          )
        }
        return `${wallet} is frozen. Its open withdrawals wait in review; payouts that are already signed still land.`
      },
    )
  },
}

export const listFrozen: Command = {
  usage: '',
  description: 'lists the frozen wallets, with reason, operator and time',
  positionals: 0,
  options: [],
  async run({ db, say }) {
    const freezes = await listFreezes(db)
    if (freezes.length === 0) say('No wallet is frozen.')
    for (const { wallet, reason, who, since } of freezes)
      say(`${wallet}  since ${since.toISOString()} by ${who}: ${reason}`)
  },
}
