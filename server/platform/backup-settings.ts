import { parseCount, parseInterval, parseRecipient, parseText, setting } from './setting.ts'

/** From this age on the newest backup is old, as for the alert BackupOld of deploy/prometheus/alerts.yml: 36 hours. */
export const OLD_BACKUP_MS = 36 * 3_600_000

/**
 * Whether the last attempt to make a backup has failed. A good one removes the failure before it, unless an older version of the
 * game made it. A failure names the good one before it as `after`, because after a clock was set back its time may be earlier.
 */
export const hasFailedSince = (
  failure: { at: string; after?: string | null },
  last: { at: string } | undefined,
): boolean => !last || failure.after === last.at || Date.parse(failure.at) > Date.parse(last.at)

/** Where, how often and for whom backups are made. */
export const BACKUP_SETTINGS = {
  BACKUP_DIR: setting({
    parse: parseText,
    default: '',
    defaultText: 'none',
    roles: [],
    description:
      'Folder for [backups](runbooks/backup-and-restore.md), on another disk than `DATA_DIR`. It is created if it does not exist.',
  }),
  BACKUP_EVERY: setting({
    parse: parseInterval,
    default: 0,
    defaultText: '`off`',
    roles: [],
    description:
      'How often `npm start` makes a backup: `30m`, `6h` or the like, `1d` at most. Needs `BACKUP_DIR`. With separate roles use a timer.',
  }),
  BACKUP_KEEP: setting({
    parse: parseCount,
    default: 7,
    roles: [],
    description: 'How many backups stay in `BACKUP_DIR`. Older ones are removed after a new one was checked.',
  }),
  BACKUP_RECIPIENT: setting({
    parse: parseRecipient,
    default: '',
    defaultText: 'not encrypted',
    roles: [],
    description:
      'Public key of `age` (`age1…`) for which backups are encrypted. Its private key is needed for restores only and does not belong on this machine.',
  }),
} as const
