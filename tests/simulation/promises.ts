const ARCHITECTURE = 'ARCHITECTURE.md'

/**
 * The promises that a simulated world can show, with the documents that make them. The names of the mutants that break a
 * promise begin with its key.
 */
export const PROMISES: Readonly<Record<string, readonly [document: string, text: string]>> = {
  d1: [ARCHITECTURE, 'A deposit is credited once, whichever process sees it and wherever it is killed'],
  d2: [ARCHITECTURE, 'Forged deposits are not credited'],
  d3: [ARCHITECTURE, 'A large deposit waits until two nodes report the same amount'],
  d4: [ARCHITECTURE, 'receipt, treasury → deposited, and cursor in one transaction'],
  f1: ['docs/decisions/0081-frozen-wallets.md', 'no journal of a player follows the commit of the freeze'],
  m8: [ARCHITECTURE, 'A claim, hire or withdrawal happens once, however often it is sent'],
  o1: [ARCHITECTURE, 'Operators approve by signing a message with their wallets'],
  s1: [ARCHITECTURE, 'signs only while the last reserve check is recent and no shortage is confirmed'],
  s2: [ARCHITECTURE, 'Tokens always cover what is owed, or withdrawals stop'],
  t1: [ARCHITECTURE, 'What was acknowledged survives `kill -9`'],
  w1: [ARCHITECTURE, 'A withdrawal is paid once or refunded'],
  w2: [ARCHITECTURE, 'The signer sweeps the accounts into the treasury'],
  w3: [ARCHITECTURE, 'transactions which a restored backup has forgotten can no longer land'],
  w4: [ARCHITECTURE, 'holds the amount in the ledger, in one transaction'],
  w5: [ARCHITECTURE, 'each class of credit and the budget are restored'],
  w7: [ARCHITECTURE, 'Earned credit can be withdrawn within a daily budget'],
  w8: ['docs/decisions/0068-cancelled-withdrawals.md', 'The state ends as `refunded`'],
  w9: ['docs/decisions/0067-withdrawal-lock.md', 'A request during a lock is refused'],
  x1: [ARCHITECTURE, 'Wrong tokens and SOL are recorded and not credited'],
}
