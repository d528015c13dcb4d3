import { type Balance, type BalanceStep, listBalanceMoves } from './balance-moves.ts'
import { explainMissingOrder } from './find-order.ts'
import { formatUnits, type Segment, units } from './history.ts'
import { nameOperation, type Operation } from './operations.ts'

/** Null amount: no reply says how much. Null stated: no reply says a balance. */
type Change = Omit<BalanceStep, 'canFollow' | 'apply'> & { wallet: string } & Pick<Operation, 'isCounted'>

/** Each wallet's answers must fit one order of its changes, from the balance before to the balance after. */
export function checkBalances(
  { before, after }: Pick<Segment, 'before' | 'after'>,
  operations: readonly Operation[],
): string[] {
  const changes = [
    ...operations.flatMap((each) => changesOf(each, after.at)),
    ...refundsOf({ before, after }, operations),
  ]
  const byWallet = Map.groupBy(changes, ({ wallet }) => wallet)
  const wallets = new Set([...byWallet.keys(), ...Object.keys(after.balances)])
  return [...wallets].flatMap((wallet) => {
    const start = units(before.balances[wallet] ?? 0)
    const end: Change = {
      wallet,
      name: `the stored balance of ${after.balances[wallet] ?? 0}`,
      // After everything else.
      from: Infinity,
      to: Infinity,
      isOptional: false,
      amount: 0n,
      stated: units(after.balances[wallet] ?? 0),
    }
    const own = byWallet.get(wallet) ?? []
    const steps = [...own, end].map(stepOf)
    const reason =
      explainMissingOrder<Balance, BalanceStep>(start, steps, describeBalance, listBalanceMoves) ??
      explainSum(own, { grown: end.stated! - start, paid: sumUndecidedClaims(wallet, operations) })
    return reason ? [`The balance of ${wallet} is wrong. ${reason}`] : []
  })
}

/**
 * After claims that have paid unknown amounts the search accepts any balance, and of equal requests any number. What such
 * claims have paid together and how many of such requests happened is stored, so the sum of all changes is known unless
 * another one may have happened or not.
 */
function explainSum(
  changes: readonly Change[],
  { grown, paid }: { grown: bigint; paid: bigint },
): string | null {
  const isOpen = ({ amount, isOptional, isCounted }: Change): boolean =>
    isOptional && amount !== null && isCounted === undefined
  if (changes.some(isOpen)) return null
  const sum = changes.reduce(
    (total, { amount, isCounted = true }) => total + (isCounted ? (amount ?? 0n) : 0n),
    paid,
  )
  if (sum === grown) return null
  return `It has changed by ${formatUnits(grown)}, and all changes together are ${formatUnits(sum)}.`
}

/** What the workers of a wallet have paid by several claims of unknown outcome, for each worker once. */
function sumUndecidedClaims(wallet: string, operations: readonly Operation[]): bigint {
  const byWorker = new Map(
    operations.flatMap((each) =>
      each.action === 'claim' && each.wallet === wallet && each.paidAtMost
        ? [[each.args.workerId, each.paidAtMost] as const]
        : [],
    ),
  )
  return [...byWorker.values()].reduce((sum, amount) => sum + amount, 0n)
}

function describeBalance(balance: Balance): string {
  return balance === null ? 'an unknown balance' : `a balance of ${formatUnits(balance)}`
}

function stepOf(change: Change): BalanceStep {
  const { amount, stated } = change
  const add = (balance: Balance): Balance => (balance === null || amount === null ? null : balance + amount)
  return {
    ...change,
    apply: (balance) => stated ?? add(balance),
    canFollow: (balance) => {
      const next = add(balance)
      return next === null || (next >= 0n && (stated === null || next === stated))
    },
  }
}

/** What an operation changes: two balances if it is a sale between players. */
function changesOf(operation: Operation, end: number): Change[] {
  const { wallet, from, to, reply } = operation
  const change = {
    wallet,
    name: nameOperation(operation),
    from,
    to,
    isOptional: operation.outcome === 'maybe',
    atMost: operation.paidAtMost ?? null,
    isCounted: operation.isCounted,
  }
  const stated = reply !== null && 'balance' in reply ? units(reply.balance) : null
  switch (operation.action) {
    case 'claim': {
      const amount = operation.reply === null ? operation.paid : units(operation.reply.amount)
      return [{ ...change, stated, amount, payer: operation.args.workerId }]
    }
    case 'hire':
    case 'buy-parcel':
      return [{ ...change, stated, amount: -units(operation.args.price) }]
    case 'buy-listing': {
      const { price, receives, seller } = operation.args
      return [
        { ...change, stated, amount: -units(price) },
        {
          ...change,
          wallet: seller,
          name: `the sale in ${change.name}`,
          stated: null,
          amount: units(receives),
        },
      ]
    }
    case 'withdraw':
      return [{ ...change, stated, amount: -units(operation.args.amount) }]
    case 'deposit':
      return [{ ...change, to: end, stated: null, amount: units(operation.args.amount) }]
    case 'read-balance':
      return [{ ...change, stated, amount: 0n }]
    default:
      return []
  }
}

/** A refund happens by itself, some time after the request. */
function refundsOf(
  { before, after }: Pick<Segment, 'before' | 'after'>,
  operations: readonly Operation[],
): Change[] {
  const earlier = new Map(before.withdrawals.map((withdrawal) => [withdrawal.id, withdrawal]))
  const requested = new Map(
    operations.flatMap((operation) =>
      operation.action === 'withdraw' && operation.reply
        ? [[operation.reply.withdrawalId, operation.from]]
        : [],
    ),
  )
  return after.withdrawals.flatMap(({ id, wallet, amount, refunded }) => {
    if (!refunded || earlier.get(id)?.refunded) return []
    const from = requested.get(id) ?? before.at
    const name = `the refund of withdrawal ${id}`
    return [{ wallet, name, from, to: after.at, isOptional: false, stated: null, amount: units(amount) }]
  })
}
