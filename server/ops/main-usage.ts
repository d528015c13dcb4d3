/** The commands that server/main.ts runs, because they need no database or examine one that may not work. */
export const MAIN_USAGE = {
  env: {
    usage: '<role> [--with-passwords]',
    description: 'prints the settings that a role needs to run on its own, for node --env-file',
  },
  'upgrade-check': {
    usage: '[--measure]',
    description: 'says what an upgrade to this version will do and how long players wait; changes nothing',
    positionals: 0,
    options: [],
    flags: ['measure'],
  },
  doctor: {
    usage: '',
    description: 'examines settings, files, database, chain, proxy and backups; changes nothing',
    positionals: 0,
    options: [],
  },
} as const
