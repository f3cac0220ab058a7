/** The drawings of icons on a grid of 24 px, as the modal has them. */
const drawings = {
  back: 'm14.5 5.5-6.5 6.5 6.5 6.5',
  next: 'm9.5 6 6 6-6 6',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  wallet:
    'M18.5 8.5v-1A2.5 2.5 0 0 0 16 5H6.75a2.25 2.25 0 0 0 0 4.5H17a2.5 2.5 0 0 1 2.5 2.5v4.5A2.5 2.5 0 0 1 17 19H7a2.5 2.5 0 0 1-2.5-2.5V7.25M15.75 14.25v.05',
  shield: 'M12 4 5.5 6.5v5c0 4 2.7 6.9 6.5 8.5 3.8-1.6 6.5-4.5 6.5-8.5v-5L12 4Z',
  key: 'M14.5 9.5a4 4 0 1 1-8 0 4 4 0 0 1 8 0Zm-1.3 2.7 6.3 6.3m-2.5-2.5 2-2',
  password:
    'M7 10.5h10a2 2 0 0 1 2 2V17a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2v-4.5a2 2 0 0 1 2-2Zm1.5 0V8.25a3.5 3.5 0 0 1 7 0v2.25',
  file: 'M13.5 4.5H8.5A2 2 0 0 0 6.5 6.5v11a2 2 0 0 0 2 2h7a2 2 0 0 0 2-2v-9l-4-4Zm0 0v4h4',
  words: 'M5 7h14M5 12h14M5 17h8',
  person: 'M15.5 8.5a3.5 3.5 0 1 1-7 0 3.5 3.5 0 0 1 7 0ZM5.5 19c.8-3.2 3.3-5 6.5-5s5.7 1.8 6.5 5',
  globe:
    'M20.25 12a8.25 8.25 0 1 1-16.5 0 8.25 8.25 0 0 1 16.5 0Zm-16.5 0h16.5M12 3.75c2.4 2.3 3.6 5 3.6 8.25s-1.2 5.95-3.6 8.25C9.6 17.95 8.4 15.25 8.4 12S9.6 6.05 12 3.75Z',
  spark: 'M13 4 6 13.5h5L11 20l7-9.5h-5L13 4Z',
  device: 'M6.5 5h11a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2h-11a2 2 0 0 1-2-2V7a2 2 0 0 1 2-2ZM9 19.5h6',
  clock: 'M20.25 12a8.25 8.25 0 1 1-16.5 0 8.25 8.25 0 0 1 16.5 0ZM12 7.5V12l3 2',
  bin: 'M5 7h14M9.5 7V5h5v2m-7.5 0 .7 11a1.5 1.5 0 0 0 1.5 1.5h5.6a1.5 1.5 0 0 0 1.5-1.5L17 7',
} as const

export type IconName = keyof typeof drawings

/** The icons that point along the line, and are mirrored where text runs from right to left. */
const inline: readonly IconName[] = ['back', 'next']

/** An icon in the colour of the text. Decorative: its control has a name. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class={inline.includes(name) ? 'icon inline' : 'icon'} viewBox="0 0 24 24" aria-hidden="true">
      <path d={drawings[name]} />
    </svg>
  )
}
