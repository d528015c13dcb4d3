import { parseOrigin, parsePort, parseText, setting } from './setting.ts'

/** The operators' console. */
export const CONSOLE_SETTINGS = {
  CONSOLE_PORT: setting({
    parse: parsePort,
    default: 0,
    defaultText: 'off',
    roles: ['console'],
    description:
      'Port of the [operators’ console](operate/console.md). Without it there is no console. It must not be the port of the game.',
  }),
  CONSOLE_HOST: setting({
    parse: parseText,
    default: '127.0.0.1',
    roles: ['console'],
    description:
      'Address on which the console listens. Leave it at this machine, and reach it through an SSH tunnel, a VPN or a proxy with TLS.',
  }),
  CONSOLE_URL: setting({
    parse: parseOrigin,
    default: '',
    defaultText: '`http://localhost:<CONSOLE_PORT>`',
    roles: ['console'],
    description:
      'Origin that operators open, without a path, if a proxy serves the console under a name. The console answers to no other host name, except those of this machine.',
  }),
} as const
