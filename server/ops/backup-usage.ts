/** The commands that work on files. They are run by server/backup, which may import this folder, and not the reverse. */
export const BACKUP_USAGE = {
  backup: {
    usage: '[FILE]',
    description:
      'makes a backup while the game runs, and checks it. FILE is a new file or a folder; without it the backup is stored in BACKUP_DIR, and old ones are removed (BACKUP_KEEP)',
    positionals: { min: 0, max: 1 },
    options: [],
  },
  restore: {
    usage: 'FILE --into DIR [--identity KEYFILE]',
    description:
      'makes a new data folder from a backup; with DATABASE_URL the rows go into that database, which must be empty. KEYFILE has the age identity of an encrypted backup',
    positionals: 1,
    options: ['into', 'identity'],
  },
  drill: {
    usage: 'FILE [--identity KEYFILE]',
    description:
      'restores a backup into a temporary folder, audits it, prints what the chain has seen since, and removes it. Exits with 1 if it finds a problem. The running game is not touched',
    positionals: 1,
    options: ['identity'],
  },
} as const
