T="tmux -L t21"
tstart() { # name w h dir
 $T kill-session -t $1 2>/dev/null; $T new-session -d -s $1 -x $2 -y $3 -c $4 "env HOME=$HOME PATH=$PATH TERM=xterm-256color PS1='\$ ' bash --norc"; sleep 0.5; }
tsend() { n=$1; shift; $T send-keys -t $n "$@"; sleep ${D:-0.8}; }
tcap() { $T capture-pane -p -t $1; }
