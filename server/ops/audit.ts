import { ChainUnavailable } from '#server/chain/port.ts'
import { StartProblem } from '#server/platform/start-problem.ts'
import { exactly } from './amounts.ts'
import { auditBooks } from './audit-books.ts'
import { auditChain, type ChainAudit } from './audit-chain.ts'
import { type Command, type Desk, ownChain } from './desk.ts'

export const audit: Command = {
  usage: '[--chain required]',
  does: 'checks the books and compares them with the chain; exits with 1 if they disagree. If the chain is unreachable only the books are checked, unless --chain required is set',
  words: 0,
  options: ['chain'],
  async run(desk, { options: { chain } }) {
    if (chain !== undefined && chain !== 'required')
      throw new StartProblem('--chain is required or left out.')
    const { db, say } = desk
    const books = await auditBooks(db)
    const held = await holdAgainstChain(desk)
    const findings = [...books, ...('unasked' in held ? [] : held.findings)]
    for (const { law, what, found } of findings) say(`BROKEN  ${law}: ${what} (${found})`)
    say(
      findings.length === 0
        ? 'The books are clean.'
        : `${findings.length} findings: the books are NOT clean.`,
    )
    if ('unasked' in held) say(`They were NOT held against the chain. ${held.unasked}`)
    else if (findings.length === 0) say('The chain agrees with them.')
    if ('free' in held && held.free > 0n) {
      say(`${exactly(held.free)} $COTTON in the treasury belong to nobody: see \`ops fund\`.`)
    }
    if (findings.length > 0 || ('unasked' in held && chain === 'required')) process.exitCode = 1
  },
}

async function holdAgainstChain(desk: Desk): Promise<ChainAudit | { unasked: string }> {
  try {
    const { chain, own, cold } = await ownChain(desk)
    return await auditChain({ db: desk.db, chain, now: desk.clock.now() }, { ...own, cold })
  } catch (error) {
    if (error instanceof StartProblem || error instanceof ChainUnavailable) return { unasked: error.message }
    throw error
  }
}
