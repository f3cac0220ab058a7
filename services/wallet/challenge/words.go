package challenge

import (
	"crypto/rand"
	"strings"
)

// Two words in the mail and on the page let the user check that they belong to the same login. They are not secret.
var (
	colors  = strings.Fields("amber azure beige black blue bronze brown cherry copper coral cream crimson cyan ebony gold gray green indigo ivory jade khaki lemon lilac lime maroon mint navy olive orange pearl pink plum purple red rose ruby rust sand silver sky slate teal violet white yellow honey peach denim")
	animals = strings.Fields("badger beaver bison camel crane deer dolphin donkey eagle falcon ferret finch fox gecko goat goose hamster hare hawk heron horse ibis jaguar koala lark lemur lion llama lynx magpie mole moose newt otter owl panda parrot pigeon pony puffin rabbit raven robin salmon seal shark sheep sparrow squid stork swan tiger toad trout turtle walrus whale wolf wombat zebra")
)

// newWords returns two random words.
func newWords() string { return pick(colors) + " " + pick(animals) }

func pick(from []string) string {
	fair := 256 / len(from) * len(from)
	var raw [1]byte
	for {
		_, _ = rand.Read(raw[:])
		if int(raw[0]) < fair {
			return from[int(raw[0])%len(from)]
		}
	}
}
