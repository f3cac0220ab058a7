// Marks of wallets that the package has no drawing of: the first letter of the name on a colour that follows from the key.

/** Strokes of letters and digits in a square of 24, as SVG paths. */
const strokes = {
  A: 'M7 17 12 7l5 10M9 13.5h6',
  B: 'M8 7v10h5.5a2.6 2.6 0 0 0 0-5.2H8M8 7h4.7a2.4 2.4 0 0 1 0 4.8',
  C: 'M16.5 9a5 5 0 1 0 0 6',
  D: 'M8 7v10h3.5a5 5 0 0 0 0-10z',
  E: 'M16 7H8v10h8M8 12h6',
  F: 'M16 7H8v10M8 12h6',
  G: 'M16.5 9a5 5 0 1 0 .5 3h-4.5',
  H: 'M8 7v10M16 7v10M8 12h8',
  I: 'M12 7v10',
  J: 'M15 7v6.5a3.5 3.5 0 0 1-7 0',
  K: 'M8 7v10M16 7l-8 6M11 11l5 6',
  L: 'M8 7v10h8',
  M: 'M7 17V7l5 6 5-6v10',
  N: 'M8 17V7l8 10V7',
  O: 'M12 7a5 5 0 1 0 0 10 5 5 0 0 0 0-10z',
  P: 'M8 17V7h5a3 3 0 0 1 0 6H8',
  Q: 'M12 7a5 5 0 1 0 0 10 5 5 0 0 0 0-10zM14 14l3 3',
  R: 'M8 17V7h5a3 3 0 0 1 0 6H8M12 13l4 4',
  S: 'M15.5 8.5C14.7 7.5 13.5 7 12 7 8 7 8 11.5 12 12s4 5 0 5c-1.5 0-2.7-.5-3.5-1.5',
  T: 'M7 7h10M12 7v10',
  U: 'M8 7v6a4 4 0 0 0 8 0V7',
  V: 'M7 7l5 10 5-10',
  W: 'M6 7l3 10 3-8 3 8 3-10',
  X: 'M8 7l8 10M16 7 8 17',
  Y: 'M7 7l5 5.5L17 7M12 12.5V17',
  Z: 'M8 7h8L8 17h8',
  1: 'M9.5 9 12 7v10',
}

/** Grounds on which white has a contrast of at least 4.5 to 1. */
const grounds = ['#3257D6', '#0B7A5C', '#9A3BB5', '#B4452B', '#1F6E8C', '#7A5A12', '#5B4BC4', '#A8326E']

/** @param {string} key @param {string} name */
export function letterMark(key, name) {
  const path = strokes[name[0].toUpperCase()]
  if (!path) throw new Error(`no letter for ${name}`)
  const sum = [...key].reduce((total, letter) => (total * 31 + letter.charCodeAt(0)) % 65_521, 7)
  const ground = grounds[sum % grounds.length]
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none"><path fill="${ground}" d="M0 0h24v24H0z"/><path stroke="#fff" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" d="${path}"/></svg>`
}
