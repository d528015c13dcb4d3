import { expect, test } from 'vitest'
import { readWalletProblem } from './wallet-problem.ts'

test.each([
  [Object.assign(new Error('No.'), { code: 4001 }), 'declined'],
  [new Error('User rejected the request.'), 'declined'],
  [Object.assign(new Error(''), { name: 'WalletSignMessageDeniedError' }), 'declined'],
  [new Error('Popup closed'), 'closed'],
  [new Error('Ledger: 0x6a81'), 'unknown'],
  ['no error at all', 'unknown'],
  [undefined, 'unknown'],
])('the error %o of a wallet means: %s', (error, problem) => {
  expect(readWalletProblem(error)).toBe(problem)
})
