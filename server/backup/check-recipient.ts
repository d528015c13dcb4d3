import { Encrypter } from 'age-encryption'
import { StartupError } from '#server/platform/startup-error.ts'

/** Throws a `StartupError` if age cannot encrypt for this recipient: the key has a checksum. '' does not encrypt. */
export function checkRecipient(recipient: string): void {
  if (recipient === '') return
  try {
    new Encrypter().addRecipient(recipient)
  } catch {
    throw new StartupError(
      'BACKUP_RECIPIENT is no public key of age, perhaps because a character is wrong: copy it again.',
    )
  }
}
