import { formatExact } from '#game/cotton.ts'
import { ChainUnavailable } from '#server/chain/port.ts'
import { countFindings } from '#server/ledger/verify-ledger.ts'
import { StartupError } from '#server/platform/startup-error.ts'
import { auditBooks } from './audit-books.ts'
import { auditChain, type ChainAudit } from './audit-chain.ts'
import { type Command, type CommandContext, requireChain } from './command.ts'

export const audit: Command = {
  usage: '[--chain required]',
  description:
    'checks the books and compares them with the chain; exits with 1 if they disagree. If the chain is unreachable only the books are checked, unless --chain required is set',
  positionals: 0,
  options: ['chain'],
  async run(context, { options: { chain } }) {
    if (chain !== undefined && chain !== 'required')
      throw new StartupError('--chain must be required or omitted.')
    const { db, say } = context
    const books = await auditBooks(db)
    const chainAudit = await compareWithChain(context)
    const findings = [...books, ...('unreachable' in chainAudit ? [] : chainAudit.findings)]
    for (const { law, what, found } of findings) say(`BROKEN  ${law}: ${what} (${found})`)
    say(
      findings.length === 0
        ? 'The ledger has no errors.'
        : `The ledger or the chain has errors: ${countFindings(findings)}.`,
    )
    if ('unreachable' in chainAudit)
      say(`The ledger was NOT compared with the chain. ${chainAudit.unreachable}`)
    else if (findings.length === 0) say('The chain agrees with it.')
    if ('free' in chainAudit && chainAudit.free > 0n) {
      say(
        `${formatExact(chainAudit.free)} $COTTON in the treasury are not owed to anybody: see \`ops fund\`.`,
      )
    }
    if (findings.length > 0 || ('unreachable' in chainAudit && chain === 'required')) process.exitCode = 1
  },
}

async function compareWithChain(context: CommandContext): Promise<ChainAudit | { unreachable: string }> {
  try {
    const { chain, boundChain, cold } = await requireChain(context)
    return await auditChain({ db: context.db, chain, now: context.clock.now() }, { ...boundChain, cold })
  } catch (error) {
    if (error instanceof StartupError || error instanceof ChainUnavailable)
      return { unreachable: error.message }
    throw error
  }
}
