import type { Config } from 'stylelint'

// Only tokens.css and page-tokens.css name colours, radii, durations and the steps of the spacing scale. All other style
// sheets use their tokens.

/** A duration other than zero. */
const DURATION = String.raw`/(^|[\s,(*+-])(?!0m?s)\d*\.?\d+m?s\b/`

const RADIUS = String.raw`var\(--r(-[a-z]+)?\)|calc\(var\(--r\) - 2px\)|0|50%|inherit`

/** What the camera of a phone covers. */
const INSET = String.raw`env\(safe-area-inset-(left|right)\)`

/** Distances that have no token, in px: small optical corrections, and large gaps of single pages. */
const CORRECTIONS = '1|2|3|5|7|9|11|13|15|17|21|23'
const LAYOUT = '32|36|38|40|42|44|46|50|52|56|62|64|76|84|90|104|110'
const TOKEN = String.raw`var\(--(s\d+h?|gap-page)\)`
const DISTANCE = [
  TOKEN,
  String.raw`calc\(${TOKEN} ?\* ?-1\)`,
  INSET,
  String.raw`calc\((${TOKEN}|\d+px) \+ ${INSET}\)`,
  String.raw`clamp\(${TOKEN}, [\d.]+vh, ${TOKEN}\)`,
  `-?(${CORRECTIONS}|${LAYOUT})px`,
  String.raw`[\d.]+em`,
  '0',
  'auto',
].join('|')

/** Matches one or more values of this form. */
const only = (value: string) => `/^(${value})( (${value}))*$/`

export default {
  reportNeedlessDisables: true,
  rules: {
    'color-no-hex': true,
    'color-named': 'never',
    'function-disallowed-list': [
      'rgb',
      'rgba',
      'hsl',
      'hsla',
      'hwb',
      'lab',
      'lch',
      'oklab',
      'oklch',
      'color',
      'color-mix',
    ],
    'declaration-property-value-disallowed-list': {
      '/.+/': [DURATION, '/%23[0-9a-f]{3}/i'],
    },
    'declaration-property-value-allowed-list': {
      '/radius$/': [only(RADIUS)],
      '--r': [String.raw`/^var\(--r-[a-z]+\)$/`],
      '/^(margin|padding|gap|row-gap|column-gap|grid-gap)/': [only(DISTANCE)],
    },
    'color-no-invalid-hex': true,
    'declaration-block-no-duplicate-properties': true,
    'function-no-unknown': true,
    'property-no-unknown': true,
    'unit-no-unknown': true,
  },
  overrides: [
    {
      files: ['web/**/*tokens.css'],
      rules: {
        'color-no-hex': null,
        'function-disallowed-list': null,
        'declaration-property-value-disallowed-list': null,
      },
    },
  ],
} satisfies Config
