// Plays the main journeys of these files in Firefox, in one browser and on one stack: those that they define by `mainJourney`.
import './e2e/connect.e2e.mjs'
import './e2e/disconnect.e2e.mjs'
import './e2e/receive.e2e.mjs'
import './e2e/send.e2e.mjs'
import './e2e/swap.e2e.mjs'
import './e2e/pairing.e2e.mjs'
import './e2e/appearance.e2e.mjs'
import './e2e/embedded.e2e.mjs'
