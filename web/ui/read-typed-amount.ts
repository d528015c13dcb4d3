import { hasDecimalComma } from '#web/messages/locale.ts'

type AmountEvent = {
  target: Pick<HTMLInputElement, 'value' | 'selectionStart' | 'setSelectionRange'>
  nativeEvent: object
}

/**
 * The text in the input of an amount after a change of it. A comma that was typed as a decimal one is a point from then on,
 * because amounts have a decimal point in every region. A pasted text and a deletion change no comma: `1,000` is a thousand.
 */
export function readTypedAmount({ target, nativeEvent }: AmountEvent): string {
  const { value, selectionStart: caret } = target
  const isComma = 'data' in nativeEvent && nativeEvent.data === ','
  if (!isComma || !caret || value[caret - 1] !== ',' || !typesDecimalComma()) return value
  target.value = `${value.slice(0, caret - 1)}.${value.slice(caret)}`
  target.setSelectionRange(caret, caret)
  return target.value
}

/**
 * The keypad of an iPhone has one separator, the decimal one of the region in its settings. The browser only knows the
 * language, which may be English in France, so there every typed comma is a decimal one.
 */
const typesDecimalComma = (): boolean =>
  /iPhone|iPod/.test(navigator.userAgent) || hasDecimalComma(navigator.language)
