import type { TextToSign } from '#web/wallet/sign-text.ts'

export type Prepared = TextToSign & { nonce: string; expiresAt: string; waiting: string | null }

/** Where a signed act stands: from the form to what the signer made of it. */
export type Phase =
  | { name: 'form'; problem: string | null }
  | { name: 'preparing' }
  | { name: 'message'; prepared: Prepared; problem: string | null }
  | { name: 'signing' | 'submitting'; prepared: Prepared }
  /** `why` is a sentence once the signer has found that it has to wait. */
  | { name: 'executing'; why: string | null }
  | { name: 'in-doubt'; prepared: Prepared }
  | { name: 'ended'; outcome: 'done' | 'refused' | 'submitted'; text: string }

/** The phases in which the dialog waits for somebody else. */
export const isBusy = ({ name }: Phase): boolean => ['preparing', 'signing', 'submitting'].includes(name)
