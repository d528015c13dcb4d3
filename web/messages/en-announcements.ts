/** Around what the operator announces. Its own file keeps it out of the first load. */
export const announcementMessages = {
  dismiss: 'Dismiss this announcement',
} as const
