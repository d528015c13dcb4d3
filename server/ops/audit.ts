import { auditBooks } from './audit-books.ts'
import type { Command } from './desk.ts'

export const audit: Command = {
  usage: '',
  does: 'reads all books and ends with 1 where they do not agree',
  words: 0,
  options: [],
  async run({ db, say }) {
    const findings = await auditBooks(db)
    for (const { law, what, found } of findings) say(`BROKEN  ${law}: ${what} (${found})`)
    say(
      findings.length === 0
        ? 'The books are clean.'
        : `${findings.length} findings: the books are NOT clean.`,
    )
    if (findings.length > 0) process.exitCode = 1
  },
}
