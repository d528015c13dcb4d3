import { createElement, memo, type ReactElement } from 'react'
import { type SvgTree, tree } from './landscape.svg?tree'

function element([name, props, children]: SvgTree, key: number): ReactElement {
  return createElement(name, { ...props, key }, ...children.map(element))
}

/** The world behind every page. Inline, because the time of day recolours it through custom properties. */
export const Landscape = memo(function Landscape({ className }: { className: string | undefined }) {
  const [name, props, children] = tree
  return createElement(name, { ...props, className }, ...children.map(element))
})
