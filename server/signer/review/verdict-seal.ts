import { timingSafeEqual } from 'node:crypto'
import type { OpenWithdrawal } from '#server/withdrawals/open-withdrawals.ts'

/** The MAC of a text, which only the signer can compute. */
export type Seal = (text: string) => Uint8Array

type Sealed = Pick<OpenWithdrawal, 'id' | 'wallet' | 'deposited' | 'earned'>

/** The seal of a withdrawal that the policy has approved by itself. Another wallet or amount has another seal. */
export const sealVerdict = (seal: Seal, { id, wallet, deposited, earned }: Sealed): Uint8Array =>
  seal(['approved by the policy', id, wallet, deposited, earned].join(' '))

/** True if the policy has approved exactly this withdrawal. */
export function isSealed(seal: Seal, withdrawal: Sealed & Pick<OpenWithdrawal, 'verdictMac'>): boolean {
  const { verdictMac } = withdrawal
  return verdictMac?.length === 32 && timingSafeEqual(verdictMac, sealVerdict(seal, withdrawal))
}
