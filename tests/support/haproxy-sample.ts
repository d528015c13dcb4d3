/** A sample of HAProxy for a test, whose user may not become another one. */
export const withoutUser = (sample: string): string => sample.replace(/^ *(?:user|group|chroot) .*\n/gm, '')
