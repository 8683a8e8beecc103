// Which parts of Argo CD does this machine need? Those that judge and apply Applications, the server whose API shows
// and acts, and a redis for the three: in one binary, so that tests run the real Argo CD without containers. The first
// argument says which to be.
package main

import (
	"fmt"
	"net/http"
	"os"
	"sort"
	"strings"

	"github.com/alicebob/miniredis/v2"
	appcontroller "github.com/argoproj/argo-cd/v3/cmd/argocd-application-controller/commands"
	reposerver "github.com/argoproj/argo-cd/v3/cmd/argocd-repo-server/commands"
	apiserver "github.com/argoproj/argo-cd/v3/cmd/argocd-server/commands"
	"github.com/spf13/cobra"
)

var components = map[string]func() *cobra.Command{
	"argocd-application-controller": appcontroller.NewCommand,
	"argocd-repo-server":            reposerver.NewCommand,
	"argocd-server":                 apiserver.NewCommand,
	"redis":                         newRedisCommand,
}

// newRedisCommand answers a redis that lives in memory, as in Argo CD's own tests: what Argo CD keeps there is a cache.
func newRedisCommand() *cobra.Command {
	var address, health string
	command := &cobra.Command{Use: "redis", RunE: func(*cobra.Command, []string) error {
		redis := miniredis.NewMiniRedis()
		if err := redis.StartAddr(address); err != nil {
			return err
		}
		defer redis.Close()
		answer := func(http.ResponseWriter, *http.Request) {}
		return http.ListenAndServe(health, http.HandlerFunc(answer))
	}}
	command.Flags().StringVar(&address, "address", "127.0.0.1:6379", "where redis listens")
	command.Flags().StringVar(&health, "health-address", "127.0.0.1:6380", "where HTTP answers 200 once redis listens")
	return command
}

func main() {
	if len(os.Args) > 1 {
		if component, known := components[os.Args[1]]; known {
			command := component()
			command.SetArgs(os.Args[2:])
			if err := command.Execute(); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			return
		}
	}
	names := make([]string, 0, len(components))
	for name := range components {
		names = append(names, name)
	}
	sort.Strings(names)
	fmt.Fprintln(os.Stderr, "usage: argocd "+strings.Join(names, "|")+" [flags]")
	os.Exit(2)
}
