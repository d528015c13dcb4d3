import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { KeyPairSigner } from '@solana/kit'
import { type Act, toUnits } from '#contract/console/acts.ts'
import { toDecimal } from '#game/cotton.ts'
import { SECOND_ABOVE } from './roles.ts'

/** An approval that an operator has really signed. `amount` is in base units. */
type SignedApproval = {
  nonce: string
  operator: string
  id: string
  wallet: string
  amount: bigint
  expiresAt: Date
}

/** What somebody wants to be approved. */
type Approvable = { id: string; wallet: string; amount: bigint }

export const OPERATOR_NAMES = ['ana', 'ben', 'vera', 'eve'] as const
type OperatorName = (typeof OPERATOR_NAMES)[number]

/** Those who may approve while the file names all. Vera may only change settings, and Eve was an operator once. */
const DECIDING: readonly OperatorName[] = ['ana', 'ben']

/** The operators of a world: who is named in the file, and what they have signed. It knows nothing of the database. */
export class OperatorRecord {
  readonly file: string
  readonly #keys: readonly KeyPairSigner[]
  readonly #approvals: SignedApproval[] = []
  /** The nonces of acts that nobody has signed. */
  readonly forged = new Set<string>()
  #named: readonly OperatorName[] = []

  constructor(file: string, keys: readonly KeyPairSigner[]) {
    this.file = file
    this.#keys = keys
    mkdirSync(dirname(file), { recursive: true })
    this.name(DECIDING)
  }

  keyOf(name: OperatorName): KeyPairSigner {
    return this.#keys[OPERATOR_NAMES.indexOf(name)]!
  }

  /** Writes the file: who may decide about withdrawals. */
  name(deciding: readonly OperatorName[] = DECIDING): void {
    this.#named = deciding
    const rightsOf = (name: OperatorName): string[] => (deciding.includes(name) ? ['decide'] : ['settings'])
    const operators = [...deciding, 'vera' as const].map((name) => ({
      wallet: this.keyOf(name).address,
      name,
      rights: rightsOf(name),
    }))
    writeFileSync(this.file, JSON.stringify({ operators, secondAbove: toDecimal(SECOND_ABOVE) }))
  }

  recordApproval(
    act: Extract<Act, { kind: 'approve' }>,
    by: Pick<SignedApproval, 'nonce' | 'operator' | 'expiresAt'>,
  ): void {
    const { withdrawalId: id, wallet } = act
    this.#approvals.push({ ...by, id, wallet, amount: toUnits(act.amount) })
  }

  /** What operators have really approved. */
  get approvals(): readonly SignedApproval[] {
    return this.#approvals
  }

  /** Whether enough named operators have signed exactly this, and their signatures were valid at one of these times. */
  isApproved({ id, wallet, amount }: Approvable, times: readonly Date[]): boolean {
    const valid = this.#approvals.filter(
      (each) =>
        each.id === id &&
        each.wallet === wallet &&
        each.amount === amount &&
        this.#named.some((name) => this.keyOf(name).address === each.operator) &&
        times.some((time) => each.expiresAt > time),
    )
    return new Set(valid.map((each) => each.operator)).size >= (amount > SECOND_ABOVE ? 2 : 1)
  }
}
