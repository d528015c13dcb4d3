import { readFileSync, statSync } from 'node:fs'
import { type Right, RIGHTS } from '#contract/console/rights.ts'
import { type Cotton, cotton, fromDecimal, LARGEST_REQUEST } from '#game/cotton.ts'
import { walletBytes } from '#server/account/wallet-signature.ts'
import type { Log } from '#server/platform/log.ts'
import { errorCode } from '#server/platform/startup-error.ts'

/** Above this amount a withdrawal needs two operators, unless the operators' file says otherwise. */
export const DEFAULT_SECOND_ABOVE = cotton(100_000)

/** How much one operator may add to balances within 24 hours, unless the operators' file says otherwise. */
const DEFAULT_CREDIT_PER_DAY = cotton(1_000_000)

export type Operator = { wallet: string; name: string; rights: ReadonlySet<Right> }

/** The operators that the file names. With a problem nobody is an operator. */
export type Operators = {
  byWallet: ReadonlyMap<string, Operator>
  /** A withdrawal above this amount needs the approval of two operators. */
  secondAbove: Cotton
  /** How much one operator may add to the balances of players within 24 hours. */
  creditPerDay: Cotton
  /** Why nobody is an operator, as a sentence with a remedy; null if somebody is. */
  problem: string | null
}

/** How many operators must approve a withdrawal of this amount. */
export const quorumOf = ({ secondAbove }: Pick<Operators, 'secondAbove'>, amount: bigint): number =>
  amount > secondAbove ? 2 : 1

/** The operator with this wallet, if the operator has the right; null otherwise. */
export function findOperator({ byWallet }: Operators, wallet: string, right: Right): Operator | null {
  const operator = byWallet.get(wallet)
  return operator && (right === 'view' || operator.rights.has(right)) ? operator : null
}

const nobody = (problem: string): Operators => ({
  byWallet: new Map(),
  secondAbove: DEFAULT_SECOND_ABOVE,
  creditPerDay: DEFAULT_CREDIT_PER_DAY,
  problem,
})

export const NO_OPERATORS: Operators = nobody('No operators are named.')

/** Reads the operators' file. Never throws: with a missing or broken file nobody is an operator. */
export function readOperators(path: string): Operators {
  try {
    // Whoever can write this file can approve payouts.
    if ((statSync(path).mode & 0o002) !== 0)
      return nobody(`Everybody on this machine can change ${path}: chmod o-w it, and check what it says.`)
    // Some editors begin a file with a byte order mark.
    return parseOperators(JSON.parse(readFileSync(path, 'utf8').replace(/^\uFEFF/, '')), path)
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') {
      return nobody(
        `No operators are named, so nobody can approve: write them into ${path} (docs/runbooks/operators.md).`,
      )
    }
    if (error instanceof SyntaxError)
      return nobody(`${path} is not JSON: ${error.message.split('\n')[0]}. Nobody is an operator.`)
    return nobody(`${path} cannot be read (${errorCode(error)}). Nobody is an operator.`)
  }
}

/**
 * Reads the file again whenever it has changed, so that a removed operator counts no longer. A broken file replaces the
 * operators before it: nobody is one until it is repaired. Logs each problem once.
 */
export function watchOperators(path: string, log: Log): () => Operators {
  let version: string | null = null
  let operators = NO_OPERATORS
  return () => {
    const now = versionOf(path)
    if (now === version) return operators
    version = now
    operators = readOperators(path)
    // A game on the local chain needs no operators.
    if (operators.problem !== null && now === '') log.info(operators.problem)
    else if (operators.problem !== null) log.warn(operators.problem)
    else log.info({ operators: operators.byWallet.size }, 'the operators were read')
    return operators
  }
}

/** Changes whenever the file does. Empty without a file. */
function versionOf(path: string): string {
  try {
    const stats = statSync(path, { throwIfNoEntry: false })
    return stats ? `${stats.mtimeMs} ${stats.ctimeMs} ${stats.size} ${stats.ino}` : ''
  } catch (error) {
    return errorCode(error)
  }
}

/** One operator as the file names it, or the fault. */
function parseOperator(value: unknown, number: number): Operator | string {
  const where = `operator ${number}`
  const given = entriesOf(value)
  if (!given) return `${where} is not an object`
  const unknown = [...given.keys()].find((name) => !['wallet', 'name', 'rights'].includes(name))
  if (unknown !== undefined) return `${where} has the unknown field "${unknown}"`
  const [wallet, name, rights] = ['wallet', 'name', 'rights'].map((field) => given.get(field))
  if (typeof wallet !== 'string' || !walletBytes(wallet)) return `the wallet of ${where} is not an address`
  if (typeof name !== 'string' || !/^[^\p{C}\p{Z}](?:[^\p{C}]{0,38}[^\p{C}\p{Z}])?$/u.test(name))
    return `the name of ${where} must have 1 to 40 characters`
  if (!Array.isArray(rights) || rights.length === 0)
    return `the rights of ${name} must be a list of ${RIGHTS.join(', ')}`
  const wrong: unknown = rights.find((right: unknown) => !RIGHTS.some((known) => known === right))
  if (wrong !== undefined)
    return `${name} has the right ${JSON.stringify(wrong)}; the rights are ${RIGHTS.join(', ')}`
  return {
    wallet,
    name,
    rights: new Set(RIGHTS.filter((right) => right === 'view' || rights.includes(right))),
  }
}

function parseOperators(value: unknown, path: string): Operators {
  const broken = (fault: string) => nobody(`${path}: ${fault}. Nobody is an operator until it is repaired.`)
  const given = entriesOf(value)
  if (!given) return broken('it must be an object with the field "operators"')
  const unknown = [...given.keys()].find(
    (name) => !['operators', 'secondAbove', 'creditPerDay'].includes(name),
  )
  if (unknown !== undefined) return broken(`it has the unknown field "${unknown}"`)
  const list = given.get('operators')
  const secondAbove = parseAmount(given.get('secondAbove'), DEFAULT_SECOND_ABOVE)
  const creditPerDay = parseAmount(given.get('creditPerDay'), DEFAULT_CREDIT_PER_DAY)
  if (secondAbove === null)
    return broken('"secondAbove" must be an amount of $COTTON in quotes, for example "100000"')
  if (creditPerDay === null)
    return broken('"creditPerDay" must be an amount of $COTTON in quotes, for example "1000000"')
  if (!Array.isArray(list) || list.length === 0) return broken('"operators" must be a list of at least one')
  const byWallet = new Map<string, Operator>()
  const names = new Set<string>()
  for (const [at, each] of list.entries()) {
    const operator = parseOperator(each, at + 1)
    if (typeof operator === 'string') return broken(operator)
    const name = operator.name.toLowerCase()
    if (byWallet.has(operator.wallet)) return broken(`the wallet ${operator.wallet} is named twice`)
    if (names.has(name)) return broken(`the name ${operator.name} is given twice`)
    byWallet.set(operator.wallet, operator)
    names.add(name)
  }
  return { byWallet, secondAbove, creditPerDay, problem: null }
}

/** An amount as the file has it; null if it is none. */
function parseAmount(value: unknown, otherwise: Cotton): Cotton | null {
  if (value === undefined) return otherwise
  const amount = typeof value === 'string' ? fromDecimal(value) : null
  return amount !== null && amount <= cotton(LARGEST_REQUEST) ? amount : null
}

const entriesOf = (value: unknown): Map<string, unknown> | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? new Map(Object.entries(value)) : null
