/** What a wallet is asked to sign. Each signed form carries all of it. */
export type TextToSign = {
  wallet: string
  /** In hex. One nonce, one login or one withdrawal. */
  nonce: string
  /** What the signature is for, in one line. A login and a withdrawal differ here. */
  purpose: string
  /** The whole text: purpose, nonce and wallet, in lines. */
  message: string
}

/** The text in one line, for forms that forbid line breaks. */
export const toOneLine = ({ message }: TextToSign): string => message.replaceAll('\n', '; ')
