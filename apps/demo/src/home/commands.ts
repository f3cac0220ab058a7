/** Starts the suite and makes a project for pages of one origin. */
export const serverCommands = `make build
.tmp/bin/hawser &
.tmp/bin/hawser project create -name "My site" -origin http://localhost:3000`

/** Puts the packages into a site, from the folder of the site; HAWSER is the clone. */
export const packageCommands = `make -C "$HAWSER" pack
npm install "$HAWSER"/.tmp/packages/*.tgz react react-dom`
