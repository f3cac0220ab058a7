//go:build cluster

package live

import (
	"fmt"
	"net/http"
	"testing"
	"time"
)

// restores dumps the database of a scenario, drops it, and restores it as docs/operate/backup.md says: what was registered before the dump
// is there again, and what came after it is not.
func (c *cluster) restores(t *testing.T, s scenario) (told string) {
	t.Helper()
	const kept, lost = "kept.hawser.id", "lost.hawser.id"
	if ok, told := register(kept, newAccount(2_000_000)); !ok {
		t.Fatal(told)
	}
	c.postgres(t, "pg_dump", "-U", "postgres", "-h", "/tmp", "--format=custom", "--file=/tmp/hawser.dump", s.name)
	if ok, told := register(lost, newAccount(2_000_001)); !ok {
		t.Fatal(told)
	}

	began := time.Now()
	replicas := map[string]int32{}
	deployments, err := c.AppsV1().Deployments(s.name).List(t.Context(), suitePods)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range deployments.Items {
		replicas[d.Name] = *d.Spec.Replicas
		run(t, nil, "kubectl", "-n", s.name, "scale", "deployment/"+d.Name, "--replicas=0")
		run(t, nil, "kubectl", "-n", s.name, "wait", "pod", "-l", "app.kubernetes.io/component="+d.Labels["app.kubernetes.io/component"], "--for=delete", "--timeout=2m")
	}
	c.postgres(t, "psql", "-U", "postgres", "-h", "/tmp", "-c", fmt.Sprintf("drop database %q with (force)", s.name))
	c.database(t, s.name)
	c.postgres(t, "pg_restore", "-U", "postgres", "-h", "/tmp", "--clean", "--if-exists", "--single-transaction", "--dbname="+s.name, "/tmp/hawser.dump")
	for name, count := range replicas {
		run(t, nil, "kubectl", "-n", s.name, "scale", "deployment/"+name, fmt.Sprintf("--replicas=%d", count))
	}
	eventually(t, "every pod is ready", 3*time.Minute, func() error { return c.podsAreReady(s) })

	client := &http.Client{Timeout: 2 * time.Second}
	eventually(t, "the name from before the dump answers", time.Minute, func() error {
		if reason := get(client, nameURL(kept)); reason != "" {
			return fmt.Errorf("%s", reason)
		}
		return nil
	})
	down := time.Since(began)
	if get(client, nameURL(lost)) == "" {
		t.Error("a name from after the dump answers: the database was not restored")
	}
	if ok, told := register(lost, newAccount(2_000_002)); !ok {
		t.Errorf("the restored suite does not register: %s", told)
	}
	return fmt.Sprintf("dropped and restored, and answering again after %s", down.Round(time.Second))
}

// postgres runs a program in the pod of PostgreSQL.
func (c *cluster) postgres(t *testing.T, args ...string) {
	t.Helper()
	run(t, nil, append([]string{"kubectl", "-n", "data", "exec", "postgres-0", "--", "/bin/" + args[0]}, args[1:]...)...)
}
