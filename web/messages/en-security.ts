/** Sessions, the lock on withdrawals, and cancelled withdrawals. */
export const securityMessages = {
  sessions: 'Where you are logged in',
  sessionsFailed: 'Your logins could not be loaded.',
  thisDevice: 'This device',
  ended: 'Logged out',
  unknownDevice: 'Unknown device',
  from: (address: string) => `from ${address}`,
  loggedIn: (moment: string) => `logged in ${moment}`,
  lastSeen: (moment: string) => `last seen ${moment}`,
  logOut: 'Log out',
  logOutOthers: 'Log out all other devices',
  loggedOut: 'Logged out. That device can do nothing more with your account.',
  loggedOutOthers: (count: number) =>
    count === 1 ? 'One other device was logged out.' : `${count} other devices were logged out.`,
  onlyHere: 'You are logged in on this device only.',
  failed: 'That did not work. Please try again.',
  notice: 'New login to your account',
  noticeText: (device: string, moment: string) =>
    `${device}, ${moment}. If that was not you, log it out and lock your withdrawals.`,
  noticeShow: 'Show my logins',
  noticeDismiss: 'That was me',
  lock: 'Withdrawal lock',
  lockOff:
    'Off. A lock gives you time to notice a thief: nothing can be withdrawn until you have unlocked and waited.',
  lockOn: (wait: string) => `On. Nothing can be withdrawn. Unlocking takes ${wait}.`,
  lockEnds: (moment: string) => `Withdrawals open on ${moment}.`,
  lockShortens: (wait: string, moment: string) => `On ${moment} the lock becomes ${wait}.`,
  lockLabel: 'Unlocking takes',
  lockSet: 'Lock withdrawals',
  lockChange: 'Change the lock',
  stayLocked: 'Keep it locked',
  unlock: 'Unlock',
  wait: (hours: number) => (hours % 24 === 0 && hours > 24 ? `${hours / 24} days` : `${hours} hours`),
  lockFailed: 'Your lock could not be loaded.',
  lockConfirm: 'Lock your withdrawals?',
  lockConfirmText: (wait: string) =>
    `From now on nothing can be withdrawn. To withdraw again you have to unlock first, and then wait ${wait}. Nobody can shorten that, the operator included. You can still play, buy and deposit. Withdrawals that you have already requested are still paid.`,
  weakenConfirm: 'Weaken your lock?',
  weakenConfirmText: (wait: string) =>
    `The lock stays as it is for another ${wait}. You can take this back until then.`,
  locked: (wait: string) =>
    `Your withdrawals are locked. Unlock them under Security on your profile; they open ${wait} later.`,
  lockedUntil: (moment: string) => `Your withdrawals are locked. They open on ${moment}.`,
  back: 'Go back',
  cancel: 'Cancel withdrawal',
  cancelConfirm: 'Cancel this withdrawal?',
  cancelConfirmText: (amount: string) =>
    `${amount} $COTTON return to your balance within seconds. It works until your withdrawal is signed; after that it is paid.`,
  cancelled: 'Cancelled. The tokens are on their way back to your balance.',
  cancelling: 'Returning to your balance',
  cancelFailed: 'The withdrawal was not cancelled. Please try again.',
  goBack: 'Keep it',
}
